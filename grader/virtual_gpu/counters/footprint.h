// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace warplings::vgpu {

/// The memory that the blocks of a grid touch, in contrast to the counters of single requests.
struct Footprint {
  /// Sums for one allocation. What several blocks touch is counted once for each block.
  struct Region {
    std::uint64_t bytes = 0;
    std::uint64_t read_sectors = 0;                                        ///< 32 bytes, the unit of L2.
    std::uint64_t read_pieces = 0, written_pieces = 0, atomic_pieces = 0;  ///< 64 bytes, the unit of DRAM.
  };
  std::map<std::uint64_t, Region> regions;
  std::uint64_t load_lines = 0, store_lines = 0;  ///< 128-byte lines, summed over requests.
};

/// Adds up the footprints of host threads. The result does not depend on their order.
class FootprintSum {
 public:
  void Add(const Footprint& part);
  const Footprint& sum() const { return sum_; }

 private:
  std::mutex mutex_;
  Footprint sum_;
};

}  // namespace warplings::vgpu
