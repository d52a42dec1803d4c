// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which sectors a block touches. Only where an estimate was asked for.
#pragma once

#include <array>
#include <vector>

#include "grader/virtual_gpu/counters/counters.h"
#include "grader/virtual_gpu/counters/footprint.h"
#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// A set of numbers that is emptied often: open addressing, at most half full. 0 is none of them.
class NumberSet {
 public:
  /// False where it was there before.
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
    // All lanes of a request are taken to be in the region that the last of them hit.
    const auto& region = (*access.warp->block->cached_regions)[access.inst->index];
    Footprint::Region& counts = part_.regions[region.start];
    counts.bytes = region.bytes;
    u64& sectors = SectorsOf(counts, access.access);
    u64 line[kWarpSize];
    ForEachLane(access.mask, [&](int lane) {
      const u64 sector = access.address[lane] >> 5;
      line[lane] = sector >> 2;
      sectors += touched_.Insert(4 * sector + static_cast<u64>(access.access));
    });
    (access.access == Access::kRead ? part_.load_lines : part_.store_lines) +=
        CountDistinct(line, access.mask);
    return access.mask;
  }

 private:
  static u64& SectorsOf(Footprint::Region& region, Access access) {
    if (access == Access::kAtomic) return region.atomic_sectors;
    return access == Access::kRead ? region.read_sectors : region.written_sectors;
  }

  FootprintSum& sum_;
  Footprint part_;
  NumberSet touched_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
