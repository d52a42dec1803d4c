// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/free_ranges.h"

#include <iterator>
#include <utility>

namespace warplings::vgpu {

void FreeRanges::Insert(std::uint64_t start, std::uint64_t bytes) {
  decltype(by_bytes_) made{{bytes, start}};
  bytes_by_start_.emplace(start, bytes);
  by_bytes_.insert(made.extract(made.begin()));
}

void FreeRanges::Change(Range range, std::uint64_t start, std::uint64_t bytes) {
  auto length = by_bytes_.extract({range->second, range->first});
  length.value() = {bytes, start};
  by_bytes_.insert(std::move(length));
  auto place = bytes_by_start_.extract(range);
  place.key() = start;
  place.mapped() = bytes;
  bytes_by_start_.insert(std::move(place));
}

void FreeRanges::Remove(Range range) {
  by_bytes_.erase({range->second, range->first});
  bytes_by_start_.erase(range);
}

void FreeRanges::Add(std::uint64_t start, std::uint64_t bytes) {
  bytes = (bytes + granule_ - 1) / granule_ * granule_;
  if (bytes == 0) return;
  const auto after = bytes_by_start_.lower_bound(start);
  const auto before = after == bytes_by_start_.begin() ? bytes_by_start_.end() : std::prev(after);
  const bool joins_before = before != bytes_by_start_.end() && before->first + before->second == start;
  const bool joins_after = after != bytes_by_start_.end() && after->first == start + bytes;
  if (joins_before) {
    const std::uint64_t behind = joins_after ? after->second : 0;
    if (joins_after) Remove(after);
    Change(before, before->first, before->second + bytes + behind);
  } else if (joins_after) {
    Change(after, start, bytes + after->second);
  } else {
    Insert(start, bytes);
  }
}

std::optional<std::uint64_t> FreeRanges::Take(std::uint64_t bytes, std::uint64_t alignment) {
  bytes = (bytes + granule_ - 1) / granule_ * granule_;
  // With so much to spare, a range has an aligned start wherever it begins.
  const std::uint64_t spare = alignment > granule_ ? alignment : 0;
  const auto found = by_bytes_.lower_bound({bytes + spare, 0});
  if (found == by_bytes_.end()) return std::nullopt;
  const auto [range_bytes, range_start] = *found;
  const std::uint64_t start = spare ? (range_start + alignment - 1) / alignment * alignment : range_start;
  const std::uint64_t end = start + bytes, range_end = range_start + range_bytes;
  const Range range = bytes_by_start_.find(range_start);
  if (start > range_start) {
    if (end < range_end) Insert(end, range_end - end);
    Change(range, range_start, start - range_start);
  } else if (end < range_end) {
    Change(range, end, range_end - end);
  } else {
    Remove(range);
  }
  return start;
}

}  // namespace warplings::vgpu
