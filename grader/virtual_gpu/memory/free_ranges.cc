// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/free_ranges.h"

#include <iterator>

namespace warplings::vgpu {

void FreeRanges::Remove(std::map<std::uint64_t, std::uint64_t>::iterator range) {
  by_bytes_.erase({range->second, range->first});
  bytes_by_start_.erase(range);
}

void FreeRanges::Add(std::uint64_t start, std::uint64_t bytes) {
  bytes = (bytes + granule_ - 1) / granule_ * granule_;
  if (bytes == 0) return;
  auto after = bytes_by_start_.lower_bound(start);
  if (after != bytes_by_start_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == start) {
      start = before->first;
      bytes += before->second;
      Remove(before);
    }
  }
  if (after != bytes_by_start_.end() && after->first == start + bytes) {
    bytes += after->second;
    Remove(after);
  }
  bytes_by_start_[start] = bytes;
  by_bytes_.emplace(bytes, start);
}

std::optional<std::uint64_t> FreeRanges::Take(std::uint64_t bytes, std::uint64_t alignment) {
  bytes = (bytes + granule_ - 1) / granule_ * granule_;
  // With so much to spare, a range has an aligned start wherever it begins.
  const std::uint64_t spare = alignment > granule_ ? alignment : 0;
  const auto found = by_bytes_.lower_bound({bytes + spare, 0});
  if (found == by_bytes_.end()) return std::nullopt;
  const auto [range_bytes, range_start] = *found;
  Remove(bytes_by_start_.find(range_start));
  const std::uint64_t start = spare ? (range_start + alignment - 1) / alignment * alignment : range_start;
  Add(range_start, start - range_start);
  Add(start + bytes, range_start + range_bytes - (start + bytes));
  return start;
}

}  // namespace warplings::vgpu
