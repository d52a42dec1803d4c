// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warplings::vgpu {

/// A best-fit allocator of address ranges: takes the smallest free range that is large enough, and the lowest
/// of equal ones. Adjacent free ranges are merged, so there is no fragmentation left when everything is free.
class FreeRanges {
 public:
  /// All starts and lengths are multiples of `granule`.
  explicit FreeRanges(std::uint64_t granule) : granule_(granule) {}

  /// Add and Take throw std::bad_alloc, without changing anything, if there is no memory for the bookkeeping.
  void Add(std::uint64_t start, std::uint64_t bytes);
  /// Takes `bytes` addresses, rounded up to whole granules, and returns their start; nothing if no range is
  /// large enough. `alignment` must be a power of two.
  std::optional<std::uint64_t> Take(std::uint64_t bytes, std::uint64_t alignment);

 private:
  using Range = std::map<std::uint64_t, std::uint64_t>::iterator;
  void Insert(std::uint64_t start, std::uint64_t bytes);
  /// These two reuse the nodes of the existing entries, so they cannot fail.
  void Change(Range range, std::uint64_t start, std::uint64_t bytes);
  void Remove(Range range);

  std::uint64_t granule_;
  std::map<std::uint64_t, std::uint64_t> bytes_by_start_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_bytes_;  ///< Length, start.
};

}  // namespace warplings::vgpu
