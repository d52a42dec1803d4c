// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which sectors a block touches. Only if an estimate was requested.
#pragma once

#include <array>
#include <vector>

#include "grader/virtual_gpu/counters/footprint.h"
#include "grader/virtual_gpu/counters/memory_counters.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// A set of numbers that is cleared often: a hash table with open addressing, at most half full. 0 cannot be
/// an element.
class NumberSet {
 public:
  /// False if it was already in the set.
  bool Insert(u64 number) {
    if (2 * used_.size() >= slots_.size()) Grow();
    u64& slot = Find(number);
    if (slot == number) return false;
    slot = number;
    used_.push_back(number);
    return true;
  }
  void Clear() {
    std::fill(slots_.begin(), slots_.end(), u64{0});
    used_.clear();
  }

 private:
  u64& Find(u64 number) {
    std::size_t at = static_cast<std::size_t>(number * 0x9e3779b97f4a7c15u >> 20);
    for (;; ++at) {
      u64& slot = slots_[at & (slots_.size() - 1)];
      if (slot == 0 || slot == number) return slot;
    }
  }
  void Grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (const u64 number : used_) Find(number) = number;
  }

  std::vector<u64> slots_ = std::vector<u64>(256);
  std::vector<u64> used_;
};

class BlockFootprint final : public Observer {
 public:
  explicit BlockFootprint(FootprintSum& sum) : sum_(sum) {}
  ~BlockFootprint() override { sum_.Add(part_); }

  void OnBlockStart(BlockContext&) override { touched_.Clear(); }

  Mask OnGlobal(const WarpAccess& access) override {
    Footprint::Region& counts = RegionOf(access);
    u64& pieces = PiecesOf(counts, access.access);
    u64 line[kWarpSize];
    ForEachLane(access.mask, [&](int lane) {
      const u64 sector = access.address[lane] >> 5, piece = sector >> 1;
      line[lane] = sector >> 2;
      // Keys: sectors that are read, then 64-byte pieces by kind of access.
      if (access.access == Access::kRead && !touched_.Insert(4 * sector)) return;
      counts.read_sectors += access.access == Access::kRead;
      pieces += touched_.Insert(4 * piece + static_cast<u64>(access.access));
    });
    (access.access == Access::kRead ? part_.load_lines : part_.store_lines) +=
        CountDistinct(line, access.mask);
    return access.mask;
  }

 private:
  /// Assumes that all lanes of a request access the region of the first lane.
  Footprint::Region& RegionOf(const WarpAccess& access) {
    const u64 address = access.address[__builtin_ctz(access.mask)];
    if (address - start_ >= bytes_) {
      const Region* region = access.warp->block->grid->memory->Find(address);
      start_ = region->start;
      bytes_ = region->bytes;
    }
    Footprint::Region& counts = part_.regions[start_];
    counts.bytes = bytes_;
    return counts;
  }

  static u64& PiecesOf(Footprint::Region& region, Access access) {
    if (access == Access::kAtomic) return region.atomic_pieces;
    return access == Access::kRead ? region.read_pieces : region.written_pieces;
  }

  FootprintSum& sum_;
  Footprint part_;
  NumberSet touched_;
  u64 start_ = 0, bytes_ = 0;  ///< Of the region that was accessed last.
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
