// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which accesses of a block's threads are ordered.
#pragma once

#include <algorithm>
#include <array>

#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Ticks whenever threads of a block meet, and remembers when all of the block and when each warp last did.
/// Of two accesses the earlier one, made at tick t, comes before the later one for sure
///
///   - of another warp: if the block has met since t;
///   - of another lane of the same warp: if the block or this warp has met since t. Without that the lanes of
///     a warp are not in step (CUDA C++ Programming Guide, "Independent Thread Scheduling").
///
/// A fence counts as a meeting of the block, and lanes that meet count as the whole warp: rather a race that
/// is missed than one that is none.
class SyncClock {
 public:
  void Start() {
    now_ = block_ = 1;
    warps_.fill(1);
    is_used_ = false;
  }
  void MeetBlock() { block_ = Tick(); }
  void MeetWarp(u32 warp) { warps_[warp] = Tick(); }

  /// For a record, at its place.
  u64 Now(int shift) {
    is_used_ = true;
    return now_ << shift;
  }
  u64 SinceBlock(int shift) const { return block_ << shift; }
  u64 SinceWarp(u32 warp, int shift) const { return std::max(block_, warps_[warp]) << shift; }
  /// No tick of so many bits is left: the owner has to forget its records and start again.
  bool IsFull(int bits) const { return now_ + 1 >= u64{1} << bits; }

 private:
  /// Meetings with no access between them are one.
  u64 Tick() {
    if (is_used_) ++now_;
    is_used_ = false;
    return now_;
  }

  u64 now_ = 1, block_ = 1;
  bool is_used_ = false;  ///< Some record has this tick.
  std::array<u64, kWarpSize> warps_{};
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
