// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warplings {

/// The bytes from `begin` to before `end`.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};
/// A set of bytes: ranges in ascending order that are not empty and do not overlap.
using ByteRanges = std::vector<ByteRange>;

/// The first range of bytes that are in both.
std::optional<ByteRange> FirstCommon(const ByteRanges& a, const ByteRanges& b);
ByteRanges Without(const ByteRanges& all, const ByteRanges& taken);
/// Adds a range that begins at the end of the last one, or later.
inline void Append(ByteRanges& ranges, ByteRange next) {
  if (!ranges.empty() && ranges.back().end == next.begin) {
    ranges.back().end = next.end;
  } else {
    ranges.push_back(next);
  }
}

}  // namespace warplings
