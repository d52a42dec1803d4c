// SPDX-License-Identifier: Apache-2.0
#include "grader/device/byte_ranges.h"

#include <algorithm>

namespace warplings {

std::optional<ByteRange> FirstCommon(const ByteRanges& a, const ByteRanges& b) {
  if (a.empty() || b.empty()) return std::nullopt;
  if (a.back().end <= b.front().begin || b.back().end <= a.front().begin) return std::nullopt;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    const std::uint64_t begin = std::max(left->begin, right->begin), end = std::min(left->end, right->end);
    if (begin < end) return ByteRange{begin, end};
    if (left->end < right->end) {
      ++left;
    } else {
      ++right;
    }
  }
  return std::nullopt;
}

ByteRanges Without(const ByteRanges& all, const ByteRanges& taken) {
  if (!FirstCommon(all, taken)) return all;
  ByteRanges left;
  auto cut = taken.begin();
  for (ByteRange range : all) {
    while (cut != taken.end() && cut->end <= range.begin) ++cut;
    for (auto next = cut; next != taken.end() && next->begin < range.end; ++next) {
      if (next->begin > range.begin) left.push_back({range.begin, next->begin});
      range.begin = next->end;
    }
    if (range.begin < range.end) left.push_back(range);
  }
  return left;
}

}  // namespace warplings
