// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which accesses of a block's threads are ordered.
#pragma once

#include <algorithm>
#include <array>

#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// A logical clock that ticks whenever threads of a block synchronise, and remembers when the whole block and
/// when each warp last did. An earlier access, made at tick t, is ordered before a later one
///
///   - by another warp: if the block has synchronised since t;
///   - by another lane of the same warp: if the block or this warp has synchronised since t. Otherwise the
///     lanes of a warp may have diverged (CUDA C++ Programming Guide, "Independent Thread Scheduling").
///
/// A fence counts as a synchronisation of the block, and synchronised lanes count as the whole warp: the
/// check prefers missing a race to reporting a false one.
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
  /// True if the ticks' bits are used up: the owner must clear its records and start again.
  bool IsFull(int bits) const { return now_ + 1 >= u64{1} << bits; }

 private:
  /// Synchronisations without an access between them count once.
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
