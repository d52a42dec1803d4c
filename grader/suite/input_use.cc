// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/input_use.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace warplings {
namespace {

template <class T>
std::vector<std::int64_t> As(const std::vector<std::byte>& bytes) {
  const std::vector<T> values = ValuesOf<T>(bytes);
  return {values.begin(), values.end()};
}

/// Unsigned ones are read as signed ones: a test's integers are small.
std::vector<std::int64_t> IntegersOf(const std::vector<std::byte>& bytes, std::size_t element_bytes) {
  switch (element_bytes) {
    case 1: return As<std::int8_t>(bytes);
    case 2: return As<std::int16_t>(bytes);
    case 4: return As<std::int32_t>(bytes);
    default: return As<std::int64_t>(bytes);
  }
}

/// True if some element and the next one compare so.
template <class Compare>
bool HasNeighbours(const std::vector<std::int64_t>& values, const Compare& compare) {
  return std::ranges::adjacent_find(values, compare) != values.end();
}

}  // namespace

void InputUse::AddToChecksum(const std::vector<std::byte>& bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3u;
  for (const std::byte byte : bytes) checksum_ = (checksum_ ^ static_cast<std::uint64_t>(byte)) * kPrime;
  checksum_ = (checksum_ ^ bytes.size()) * kPrime;
}

void InputUse::Add(const CallArray& array) {
  if (!array.may_have_padding) {
    AddToChecksum(array.bytes);
    AddToChecksum(array.other.bytes);
  }
  has_other_ = has_other_ || array.other.rule != OtherElements::Rule::kNone;
  is_of_integers_ = array.is_of_integers;
  if (!is_of_integers_ || !FaultOfLength(array).empty()) return;
  const std::vector<std::int64_t> values = IntegersOf(array.bytes, array.element_bytes);
  calls_ += values.size() > 1;
  may_have_any_value_ = may_have_any_value_ || array.other.rule == OtherElements::Rule::kAnyValue;
  elements_ += values.size();
  for (const std::int64_t value : values) {
    lowest_ = std::min(lowest_, value);
    highest_ = std::max(highest_, value);
  }
  rises_ = rises_ || HasNeighbours(values, std::less<>());
  falls_ = falls_ || HasNeighbours(values, std::greater<>());
  others_fall_ = others_fall_ ||
                 HasNeighbours(IntegersOf(OtherElementsOf(array), array.element_bytes), std::greater<>());
}

std::string InputUse::narrow_range() const {
  // A few elements may be close to each other by chance.
  constexpr std::int64_t kFewValues = 16, kForEachValue = 8;
  if (!is_of_integers_ || !may_have_any_value_ || elements_ == 0 || never_varies()) return "";
  // Unsigned: the difference of two integers may overflow.
  const std::uint64_t width = static_cast<std::uint64_t>(highest_) - static_cast<std::uint64_t>(lowest_) + 1;
  if (width == 0 || width > kFewValues || elements_ < width * kForEachValue) return "";
  return "from " + std::to_string(lowest_) + " to " + std::to_string(highest_);
}

}  // namespace warplings
