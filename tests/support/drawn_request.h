// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/calls.h"

/// Random but well-formed requests, for the fuzzer and for tests that iterate over all rows of calls.h.
namespace warplings {

/// An archive (grader/base/wire.h) that fills each field of a struct from a source of bytes. Numbers are
/// often plausible ones: a handle that may exist, an address in a device's memory, the edge of a range. When
/// the bytes run out, zeros are used.
class FieldDrawer {
 public:
  /// `addresses` are used in addition to small and arbitrary numbers.
  FieldDrawer(std::span<const std::byte> bytes, std::span<const std::uint64_t> addresses)
      : bytes_(bytes), addresses_(addresses) {}

  template <class... T>
  void operator()(T&... fields) {
    (Draw(fields), ...);
  }

  std::uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const auto first = std::to_integer<std::uint8_t>(bytes_[0]);
    bytes_ = bytes_.subspan(1);
    return first;
  }
  bool Flag() { return Byte() % 2 == 1; }
  bool empty() const { return bytes_.empty(); }

 private:
  /// Only a few elements; limits on large numbers are tested elsewhere.
  static constexpr std::size_t kMostElements = 4;
  static constexpr int kDeepest = 6;

  template <class T>
  T AnyNumber() {
    std::array<std::byte, sizeof(T)> raw;
    for (std::byte& each : raw) each = std::byte{Byte()};
    T number;
    std::memcpy(&number, raw.data(), sizeof number);
    return number;
  }

  template <class T>
  void DrawNumber(T& number) {
    const unsigned choice = Byte();
    if (choice < 128) {
      number = static_cast<T>(choice % 24);  // Handles count up from 1 or from 16.
    } else if (choice < 192 && !addresses_.empty()) {
      number = static_cast<T>(addresses_[choice % addresses_.size()] + Byte() % 4 * 8u);
    } else if (choice < 208) {
      number = static_cast<T>(static_cast<T>(0) - static_cast<T>(1 + choice % 8));
    } else {
      number = AnyNumber<T>();
    }
  }

  void Draw(std::string& text) {
    // Names of one letter, like those of the kernels for tests and fuzzers, and other names.
    text.assign(Byte() % kMostElements, ' ');
    for (char& letter : text) letter = static_cast<char>(Byte());
  }
  void Draw(bool& flag) { flag = Flag(); }
  template <class T>
  void Draw(std::vector<T>& elements) {
    // Messages have messages in them: there is an end to that.
    elements.resize(depth_ < kDeepest ? Byte() % kMostElements : 0);
    ++depth_;
    for (T& element : elements) Draw(element);
    --depth_;
  }
  template <class T>
  void Draw(std::optional<T>& value) {
    if (Byte() % 2 == 1) Draw(value.emplace());
  }
  template <class First, class Second>
  void Draw(std::pair<First, Second>& both) {
    Draw(both.first);
    Draw(both.second);
  }

  template <class T>
  void Draw(T& field) {
    if constexpr (std::is_same_v<T, std::byte>) {
      field = std::byte{Byte()};
    } else if constexpr (std::is_arithmetic_v<T>) {
      DrawNumber(field);
    } else if constexpr (std::is_enum_v<T>) {
      field = static_cast<T>(Byte() % reflect::kEnumeratorCount<T>);
    } else {
      wire::VisitFields(*this, field);
    }
  }

  std::span<const std::byte> bytes_;
  std::span<const std::uint64_t> addresses_;
  int depth_ = 0;
};

/// The encoding of a random request for the row `opcode`.
inline std::vector<std::byte> DrawRequest(std::uint16_t opcode, FieldDrawer& drawer) {
  using Draw = std::vector<std::byte> (*)(FieldDrawer&);
#define WARPLINGS_DRAW(number, Request, ...) \
  +[](FieldDrawer& from) {                   \
    protocol::Request request{};             \
    from(request);                           \
    return wire::Encode(request);            \
  },
  static constexpr Draw kDraws[] = {WARPLINGS_CALLS(WARPLINGS_DRAW)};
#undef WARPLINGS_DRAW
  return kDraws[opcode](drawer);
}

}  // namespace warplings
