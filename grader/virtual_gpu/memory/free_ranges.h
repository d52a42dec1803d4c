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

  /// Where there is no memory for the books (std::bad_alloc), these and Take change nothing.
  void Add(std::uint64_t start, std::uint64_t bytes);
  /// Start of `bytes` addresses, rounded up to whole granules; nothing where no range is large enough.
  /// `alignment`: a power of two.
  std::optional<std::uint64_t> Take(std::uint64_t bytes, std::uint64_t alignment);

 private:
  using Range = std::map<std::uint64_t, std::uint64_t>::iterator;
  void Insert(std::uint64_t start, std::uint64_t bytes);
  /// Both use what the range has in the books, and so cannot fail.
  void Change(Range range, std::uint64_t start, std::uint64_t bytes);
  void Remove(Range range);

  std::uint64_t granule_;
  std::map<std::uint64_t, std::uint64_t> bytes_by_start_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_bytes_;  ///< Length, start.
};

}  // namespace warplings::vgpu
