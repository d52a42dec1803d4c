// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace warplings::vgpu {

/// Which memory the blocks of a grid touch, beyond what counters say of single requests.
struct Footprint {
  /// An allocation, by its start. What a block touches counts once for each block.
  struct Region {
    std::uint64_t bytes = 0;
    std::uint64_t read_sectors = 0;  ///< Of 32 bytes, as L2 hands them out.
    std::uint64_t read_pieces = 0, written_pieces = 0, atomic_pieces = 0;  ///< Of 64, as DRAM has them.
  };
  std::map<std::uint64_t, Region> regions;
  std::uint64_t load_lines = 0, store_lines = 0;  ///< 128-byte lines, summed over requests.
};

/// Takes what host threads have to add. Sums, so that the order does not matter.
class FootprintSum {
 public:
  void Add(const Footprint& part);
  const Footprint& sum() const { return sum_; }

 private:
  std::mutex mutex_;
  Footprint sum_;
};

}  // namespace warplings::vgpu
