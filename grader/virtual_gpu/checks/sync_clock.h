// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which accesses of a block's threads are ordered.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// A logical clock that ticks whenever threads of a block synchronise, and remembers when the whole block and
/// when each warp last did. An earlier access, made at tick t, is ordered before a later one
///
///   - by another warp: if the block has synchronised since t;
///   - by another lane of the same warp: if the block or this warp has synchronised since t, or a part of the
///     warp with both lanes, or several parts one after the other, from the one lane to the other. Otherwise
///     the lanes of a warp may have diverged (CUDA C++ Programming Guide, "Independent Thread Scheduling").
///
/// A fence counts as a synchronisation of the block: the check prefers missing a race to reporting a false
/// one.
class SyncClock {
 public:
  void Start() {
    now_ = block_ = 1;
    warps_.fill(1);
    whole_warps_.fill(1);
    has_parts_.reset();
    is_used_ = false;
  }
  void SynchroniseBlock() { block_ = Tick(); }
  /// `lanes` of a warp with these live lanes.
  void SynchroniseLanes(u32 warp, Mask lanes, Mask live) {
    if (!lanes) return;
    warps_[warp] = Tick();
    if ((live & ~lanes) == 0) {
      whole_warps_[warp] = now_;
    } else {
      SynchronisePart(warp, lanes);
    }
  }

  /// For a record, at its place.
  u64 Now(int shift) {
    is_used_ = true;
    return now_ << shift;
  }
  u64 SinceBlock(int shift) const { return block_ << shift; }
  /// Since the warp, or a part of it, last synchronised: nothing orders two lanes' accesses since then.
  u64 SinceWarp(u32 warp, int shift) const { return std::max(block_, warps_[warp]) << shift; }
  /// Since the whole warp last did: accesses before that are ordered.
  u64 SinceWholeWarp(u32 warp, int shift) const { return std::max(block_, whole_warps_[warp]) << shift; }
  /// For a tick between the two: whether parts of the warp order what `earlier` did then before `lane` now.
  bool IsOrderedByParts(u32 warp, int earlier, int lane, u64 tick) const {
    return has_parts_[warp] && tick < parts_[warp][static_cast<u32>(lane)][static_cast<u32>(earlier)];
  }
  /// True if the ticks' bits are used up: the owner must clear its records and start again.
  bool IsFull(int bits) const { return now_ + 1 >= u64{1} << bits; }

 private:
  /// By lane: the first tick of each other lane that is not ordered before what this one does now.
  using LaneTicks = std::array<u64, kWarpSize>;
  using Part = std::array<LaneTicks, kWarpSize>;

  void SynchronisePart(u32 warp, Mask lanes) {
    if (parts_.size() <= warp) parts_.resize(warp + 1);
    Part& part = parts_[warp];
    if (!has_parts_[warp]) part.fill({});
    has_parts_[warp] = true;
    LaneTicks joined{};
    ForEachLane(lanes, [&](int lane) {
      for (u32 i = 0; i < kWarpSize; ++i) joined[i] = std::max(joined[i], part[static_cast<u32>(lane)][i]);
    });
    ForEachLane(lanes, [&](int lane) { joined[static_cast<u32>(lane)] = now_; });
    ForEachLane(lanes, [&](int lane) { part[static_cast<u32>(lane)] = joined; });
  }

  /// Synchronisations without an access between them count once.
  u64 Tick() {
    if (is_used_) ++now_;
    is_used_ = false;
    return now_;
  }

  u64 now_ = 1, block_ = 1;
  bool is_used_ = false;                                ///< Some record has this tick.
  std::array<u64, kWarpSize> warps_{}, whole_warps_{};  ///< A block has as many warps as a warp has lanes.
  std::vector<Part> parts_;                             ///< By warp, as far as a part of one has met.
  std::bitset<kWarpSize> has_parts_;                    ///< In this block.
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
