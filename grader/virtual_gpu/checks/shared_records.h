// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the records of SharedChecks about accesses to shared memory.
#pragma once

#include "grader/virtual_gpu/checks/sync_clock.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// For each granule of a block's shared memory (a 4-byte word, or a byte in kernels that access less
/// than a word) one record of the last write and one of the last read:
///
///     bit 63..38  tick of the SyncClock; 0: long ago
///         37..33  warp
///         32..28  lane
///         27      write: a strong one
///         26      read, or strong write: by several warps since the last barrier
///         25      read, or strong write: by several lanes of the warp since they last met
///         24      write: a copy that is still under way
///         23      always set, so that no record is 0: nobody has written
///         22      strong write: a plain one lies behind it, made since the last barrier
///         15..0   instruction, saturated
///
/// Two accesses race when nothing orders them (see SyncClock), different threads make them, and one of them
/// is a write; strong ones (atomic, volatile, relaxed, …) do not race with each other. So a strong write that
/// takes a plain one's place must not make it forgotten, nor the strong ones of other threads.
struct SharedRecords {
  static constexpr int kTickBits = 26, kTickShift = 38, kWarpShift = 33, kLaneShift = 28;
  static constexpr u64 kStrong = u64{1} << 27, kSeveralWarps = u64{1} << 26, kSeveralLanes = u64{1} << 25,
                       kUnderWay = u64{1} << 24, kWritten = u64{1} << 23, kHides = u64{1} << 22,
                       kInstruction = 0xffff;
  static constexpr u64 kBelowTick = (u64{1} << kTickShift) - 1;
  static constexpr u64 kWarp = u64{31} << kWarpShift, kLane = u64{31} << kLaneShift;
  static constexpr u64 kGap = ~u64{0};  ///< Marks the gap between two arrays, which must not be accessed.

  static u64 Who(u32 warp, int lane) {
    return (u64{warp} << kWarpShift) | (static_cast<u64>(lane) << kLaneShift);
  }
  static int LaneOf(u64 record) { return static_cast<int>((record >> kLaneShift) & 31); }
  static u64 WhoOf(u64 record) { return record & (kWarp | kLane); }

  /// The values with which an access compares records.
  struct Frame {
    u64 warp;   ///< Shifted to its bits.
    u64 block;  ///< The first tick since the block's last barrier, shifted to its bits.
    u64 lanes;  ///< The same for the last synchronisation of the warp, or a part of it.
    u64 mine;   ///< A record without its lane.
    u64 whole;  ///< As `lanes`, of the whole warp.
    const SyncClock* clock;
  };
  /// True if another thread made the record and nothing orders it before now.
  static bool IsUnordered(u64 record, const Frame& now, int lane) {
    const bool same_warp = ((record ^ now.warp) & kWarp) == 0;
    if (!same_warp) return record >= now.block;
    const bool same_lane = ((record ^ (static_cast<u64>(lane) << kLaneShift)) & kLane) == 0;
    if (record < now.whole || same_lane) return false;
    return record >= now.lanes || !now.clock->IsOrderedByParts(static_cast<u32>(now.warp >> kWarpShift),
                                                               LaneOf(record), lane, record >> kTickShift);
  }
  /// True if nothing orders the record before an access by some other lane now.
  static bool IsRecent(u64 record, const Frame& now) {
    const bool same_warp = ((record ^ now.warp) & kWarp) == 0;
    return record >= (same_warp ? now.whole : now.block);
  }
  /// For a read, whose record also stands for reads by other threads.
  static bool IsReadUnordered(u64 record, const Frame& now, int lane) {
    return IsUnordered(record, now, lane) || IsOfSeveral(record, now);
  }
  /// For a record that stands for accesses by several threads: whether some other one's is unordered.
  static bool IsOfSeveral(u64 record, const Frame& now) {
    const bool same_warp = ((record ^ now.warp) & kWarp) == 0;
    return ((record & kSeveralWarps) && record >= now.block) ||
           ((record & kSeveralLanes) && same_warp && record >= now.lanes);
  }
  /// What the record of a strong write says of the strong one whose place it takes.
  static u64 SeveralWriters(u64 write, const Frame& now, int lane) {
    if (write < now.block) return 0;
    const bool same_warp = ((write ^ now.warp) & kWarp) == 0;
    const bool same_lane = ((write ^ (static_cast<u64>(lane) << kLaneShift)) & kLane) == 0;
    u64 flags = write & kSeveralWarps;
    if (!same_warp) flags |= kSeveralWarps;
    if (same_warp && write >= now.lanes) flags |= (write & kSeveralLanes) | (same_lane ? 0 : kSeveralLanes);
    return flags;
  }

  /// `alone`: no other lane reads it in the same execution.
  static void NoteRead(u64& record, const Frame& now, int lane, bool alone) {
    const u64 place = static_cast<u64>(lane) << kLaneShift;
    u64 flags = alone ? 0 : kSeveralLanes;
    if (record >= now.block) {
      // A record of reads by several warps since the last barrier needs no update.
      if (record & kSeveralWarps) return;
      const bool same_warp = ((record ^ now.warp) & kWarp) == 0;
      if (!same_warp) flags |= kSeveralWarps;
      if (same_warp && record >= now.lanes)
        flags |= (record & kSeveralLanes) | (((record ^ place) & kLane) ? kSeveralLanes : 0);
    }
    record = now.mine | place | flags;
  }
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
