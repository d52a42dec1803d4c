// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warplings::vgpu {

/// Ranges of addresses that nobody uses. The smallest that is large enough is taken, and of equal ones the
/// lowest; ranges that touch each other are merged, so that nothing is lost to fragments once all is free.
class FreeRanges {
 public:
  /// `granule`: what starts and lengths are multiples of.
  explicit FreeRanges(std::uint64_t granule) : granule_(granule) {}

  void Add(std::uint64_t start, std::uint64_t bytes);
  /// Start of `bytes` addresses, rounded up to whole granules; nothing where no range is large enough.
  /// `alignment`: a power of two.
  std::optional<std::uint64_t> Take(std::uint64_t bytes, std::uint64_t alignment);

 private:
  void Remove(std::map<std::uint64_t, std::uint64_t>::iterator range);

  std::uint64_t granule_;
  std::map<std::uint64_t, std::uint64_t> bytes_by_start_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_bytes_;  ///< Length, start.
};

}  // namespace warplings::vgpu
