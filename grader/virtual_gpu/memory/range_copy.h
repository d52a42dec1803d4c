// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/device/byte_ranges.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// A copy of some ranges of global memory: their bytes, and which of these were ever written. The caller has
/// checked that the ranges lie in live regions.
class RangeCopy {
 public:
  RangeCopy() = default;
  RangeCopy(const ByteRanges& ranges, const GlobalMemory& memory);

  /// How many bytes such a copy takes.
  static std::uint64_t BytesOf(const ByteRanges& ranges);

  /// Whether memory is as it was. `ranges` are those of the copy. What is compared is taken from `budget`;
  /// when that is used up, the answer is no.
  bool IsAsIn(const GlobalMemory& memory, const ByteRanges& ranges, std::uint64_t& budget) const;
  /// Makes memory as it was.
  void Restore(const GlobalMemory& memory, const ByteRanges& ranges) const;

 private:
  std::vector<std::byte> bytes_;       ///< Of all ranges, one after the other.
  std::vector<std::uint8_t> written_;  ///< The shadow of each word that a range has bytes of.
};

}  // namespace warplings::vgpu
