// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "grader/core/test_result.h"

namespace warplings {

/// The value that outputs are filled with before a call: a quiet NaN that no computation produces, so that an
/// element that was never written can be told from one that became NaN. It is not a plausible integer either.
/// Each run has its own (SetPoison), so that no submission knows it beforehand.
std::uint32_t Poison();
/// Sets it for the whole process, before the first call is made.
void SetPoison(std::uint32_t poison);

bool IsPoison(float value);
bool IsPoisonInt(int value);

/// Whether all bytes of element `i` of an output are poison.
bool IsPoisonElement(std::span<const std::byte> output, std::size_t element_bytes, std::size_t i);

/// Computed as `!(difference <= bound)`, so that NaN is wrong.
bool IsWrong(float actual, double expected, double bound);

struct Comparison {
  std::uint64_t wrong_count = 0, element_count = 0;
  std::vector<WrongElement> wrong;  ///< The first kMaxListed wrong elements.
  std::optional<OutputMap> map;     ///< If KeepsOutputMaps().
  static constexpr std::size_t kMaxListed = 8;
};

/// Sets, for the whole process, whether comparisons record a map of the output and explanations record every
/// formula. On when a profile is drawn.
void KeepOutputMaps(bool keep);
bool KeepsOutputMaps();

/// Compares element by element: wrong if |actual - expected| exceeds the element's `bound`. The spans have
/// the same length. `where` names an element, given its index ("P[2][1]", "feature 0 of sample 1").
/// `columns`: elements per row, for the map; 0 if elements have a single index.
Comparison CompareFloats(std::span<const float> actual, std::span<const double> expected,
                         std::span<const double> bound, const std::function<Message(std::size_t)>& where,
                         std::size_t columns = 0);

/// The same for integers, which have to be exactly right.
Comparison CompareInts(std::span<const int> actual, std::span<const int> expected,
                       const std::function<Message(std::size_t)>& where, std::size_t columns = 0);

/// Whether a report says by how much a wrong number is off. Where values are moved, as by a sort, a
/// difference says nothing.
enum class Differences { kShown, kLeftOut };

/// Whole numbers of any type, in words.
struct WholeNumbers {
  std::size_t count = 0;
  std::function<bool(std::size_t)> is_wrong, is_unwritten;
  std::function<std::string(std::size_t)> actual, expected, difference;
};
Comparison CompareWholeNumbersInWords(const WholeNumbers& numbers,
                                      const std::function<Message(std::size_t)>& where, std::size_t columns,
                                      Differences differences);

/// The same for whole numbers of another type: CompareWholeNumbers<std::uint8_t>(…).
template <std::integral T>
Comparison CompareWholeNumbers(std::span<const std::type_identity_t<T>> actual,
                               std::span<const std::type_identity_t<T>> expected,
                               const std::function<Message(std::size_t)>& where, std::size_t columns = 0,
                               Differences differences = Differences::kShown) {
  const auto difference = [&](std::size_t i) {
    const auto off = static_cast<std::uint64_t>(actual[i]) - static_cast<std::uint64_t>(expected[i]);
    return std::to_string(actual[i] > expected[i] ? off : 0 - off);
  };
  return CompareWholeNumbersInWords(
      {.count = actual.size(),
       .is_wrong = [&](std::size_t i) { return actual[i] != expected[i]; },
       .is_unwritten = [&](std::size_t i) { return IsPoisonElement(std::as_bytes(actual), sizeof(T), i); },
       .actual = [&](std::size_t i) { return std::to_string(actual[i]); },
       .expected = [&](std::size_t i) { return std::to_string(expected[i]); },
       .difference = difference},
      where, columns, differences);
}

/// A member of a struct that is a whole number: {"r", [](const Pixel& pixel) { return pixel.r; }}.
template <class T>
struct Member {
  std::string name;
  std::function<std::int64_t(const T&)> value;
};

/// Of `count` elements: the value of member `m` of element `i`, and whether nothing was stored to the
/// element.
struct MemberValues {
  std::size_t count = 0;
  std::vector<std::string> names;
  std::function<std::int64_t(std::size_t i, std::size_t m)> actual, expected;
  std::function<bool(std::size_t i)> is_unwritten;
};
Comparison CompareMemberValues(const MemberValues& values,
                               const std::function<std::string(std::size_t)>& where, std::size_t columns);

/// The same for structs, whose members have to be exactly right: "out[3].g", or "out[3]" if nothing was
/// stored to the element. T has to be named, as in CompareMembers<Pixel>(…).
template <class T>
Comparison CompareMembers(std::span<const std::type_identity_t<T>> actual,
                          std::span<const std::type_identity_t<T>> expected,
                          const std::vector<Member<std::type_identity_t<T>>>& members,
                          const std::function<std::string(std::size_t)>& where, std::size_t columns = 0) {
  MemberValues values;
  values.count = actual.size();
  for (const Member<T>& member : members) values.names.push_back(member.name);
  values.actual = [&](std::size_t i, std::size_t m) { return members[m].value(actual[i]); };
  values.expected = [&](std::size_t i, std::size_t m) { return members[m].value(expected[i]); };
  values.is_unwritten = [&](std::size_t i) { return IsPoisonElement(std::as_bytes(actual), sizeof(T), i); };
  return CompareMemberValues(values, where, columns);
}

/// Adds the next element to the map, if one is recorded; `state` as in OutputMap. The texts are used only if
/// the element is not right.
void AddCell(Comparison& comparison, char state, const std::string& expected, const std::string& actual);

/// "5 of 9 elements of P are wrong, the first is P[0][2]"; of a comparison with a wrong element.
Message DescribeWrong(const Comparison& comparison, const std::string& array);

}  // namespace warplings
