// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: asynchronous copies of a block that have not been waited for.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// A thread's cp.async belong to its open group. commit_group closes that group and opens the next;
/// wait_group N waits for all closed groups except the last N (PTX ISA, "cp.async.wait_group").
class PendingCopies {
 public:
  /// Limit per block. Copies of 4 bytes that fill a block's maximum of shared memory use two thirds of it.
  static constexpr std::size_t kMost = 65'536;

  void Start() {
    if (!is_used_) return;
    for (auto& warp : warps_) warp = {};
    count_ = 0;
    is_used_ = false;
  }
  /// True if the block has made any copies.
  bool are_any() const { return is_used_; }
  /// Records a copy of `count` granules from `first` on. False if the limit is reached and it was not
  /// recorded.
  [[nodiscard]] bool Add(u32 warp, int lane, u32 first, u32 count) {
    if (count_ == kMost) return false;
    ++count_;
    is_used_ = true;
    warps_[warp].copies.push_back({first, count, warps_[warp].open[static_cast<std::size_t>(lane)], lane});
    return true;
  }
  void Commit(u32 warp, Mask lanes) {
    is_used_ = true;
    ForEachLane(lanes, [&](int lane) { ++warps_[warp].open[static_cast<std::size_t>(lane)]; });
  }
  /// Calls done(first granule, count, lane) for each copy that has been waited for.
  template <class F>
  void Await(u32 warp, Mask lanes, u32 groups_left, F done) {
    Warp& state = warps_[warp];
    count_ -= std::erase_if(state.copies, [&](const Copy& copy) {
      if (!((lanes >> copy.lane) & 1)) return false;
      const u64 open = state.open[static_cast<std::size_t>(copy.lane)];
      const bool waited = groups_left == Observer::kNoGroups || u64{copy.group} + groups_left < open;
      if (waited) done(copy.first, copy.count, copy.lane);
      return waited;
    });
  }

 private:
  struct Copy {
    u32 first, count;  ///< Granules.
    u32 group;
    int lane;
  };
  struct Warp {
    std::vector<Copy> copies;
    std::array<u32, kWarpSize> open{};  ///< The number of each lane's open group.
  };
  std::array<Warp, kWarpSize> warps_;
  std::size_t count_ = 0;
  bool is_used_ = false;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
