// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: races in global memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "grader/virtual_gpu/checks/strong_accesses.h"
#include "grader/virtual_gpu/checks/sync_clock.h"
#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/machine/lanes.h"
#include "grader/virtual_gpu/memory/race_shadow.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Within a block, as in shared memory: two threads access one location, at least one writes, and nothing
/// orders the accesses (SyncClock). Between blocks
///
///   - of a kernel whose blocks do not communicate: accesses are only recorded, and compared when the launch
///     has ended (FaultReporter::BlockRaces), because the order of the blocks is random;
///   - of one whose blocks do: blocks take turns, always in the same order, so the records of the last
///     accesses are sufficient. A block that has executed a fence since its access is assumed to be ordered
///     before every other block: which access waits for which is not tracked. But an atomic by a block that
///     has not executed a fence itself is not ordered after any store. Therefore the first ordinary store of
///     a launch is kept as well, so that an atomic by the same thread, which replaces the store in the record
///     of the last accesses, does not hide it.
///
/// An atomic does not hide an ordinary store within a block either: until the block's next barrier, a
/// thread's ordinary store stays the last write, because the other warps' atomics are not ordered after it.
class GlobalRaces final : public Observer {
 public:
  GlobalRaces(RaceShadow& shadow, const Program& program)
      : shadow_(shadow), fences_count_(program.uses_strong_values), has_fences_(program.has_fences) {}

  void OnBlockStart(BlockContext& block) override {
    block_ = block.linear_index;
    serial_ = shadow_.NewSerial();
    clock_.Start();
    has_executed_fence_ = false;
  }
  void OnBarrierPassed(const BlockContext&) override {
    clock_.SynchroniseBlock();
    RenewIfFull();
  }
  void OnWarpSync(const WarpContext& warp, Mask lanes) override {
    clock_.SynchroniseLanes(warp.index, lanes, warp.live);
    RenewIfFull();
  }
  void OnFence(const BlockContext&) override {
    has_executed_fence_ = true;
    if (!fences_count_) return;
    clock_.SynchroniseBlock();
    RenewIfFull();
    shadow_.Release(serial_, clock_.SinceBlock(0));
  }

  Mask OnGlobal(const WarpAccess& access) override {
    if (access.unused) [[unlikely]]
      return OnGlobal(OfLanesThatUse(access)) | (access.mask & access.unused);
    if (access.inst->orders) OnFence(*access.warp->block);
    if (!serial_) return access.mask;
    const u32 granules = std::max(access.bytes >> shadow_.granule_shift(), 1u);
    const Frame now = FrameOf(access);
    if (ReadsInRuns(access)) {
      ReadRuns(access, now);
      return access.mask;
    }
    // Records are eight times as large as the memory they describe, so they are rarely in the cache: prefetch
    // all at once.
    ForEachLane(access.mask, [&](int lane) { __builtin_prefetch(&shadow_.At(access.address[lane]), 1); });
    if (access.access == Access::kWrite && granules == 1 && !shadow_.in_turns()) {
      WriteGranules(access, now);
      return access.mask;
    }
    Mask done = 0;
    ForEachLane(access.mask, [&](int lane) {
      for (u32 i = 0; i < granules; ++i) {
        const u64 address = access.address[lane] + (u64{i} << shadow_.granule_shift());
        if (access.access == Access::kRead) {
          Read(access, now, lane, address);
        } else {
          Write(access, now, lane, address, done);
        }
      }
      done |= 1u << lane;
    });
    return access.mask;
  }

 private:
  // Of a last record, see RaceShadow.
  static constexpr int kSerialShift = 39, kTickBits = 12, kTickShift = 27, kWarpShift = 22, kLaneShift = 17;
  static constexpr u64 kSeveralWarps = u64{1} << 16, kSeveralLanes = u64{1} << 15, kStrong = u64{1} << 14;
  static constexpr u64 kWarp = u64{31} << kWarpShift, kLane = u64{31} << kLaneShift;
  static constexpr int kSegment = static_cast<int>(RaceShadow::kSegment);

  struct Frame {
    u64 block, lanes;  ///< The least record of this block that is unordered, of other warps and of this one.
    u64 end;           ///< Records from here on are of other blocks.
    u64 mine;          ///< A record without its lane.
    u64 whole;         ///< As `lanes`, since the whole warp has synchronised.
    const SyncClock* clock;
  };
  Frame FrameOf(const WarpAccess& access) {
    const u64 serial = serial_ << kSerialShift;
    const u32 warp = access.warp->index;
    return {serial | clock_.SinceBlock(kTickShift),
            serial | clock_.SinceWarp(warp, kTickShift),
            serial + (u64{1} << kSerialShift),
            serial | clock_.Now(kTickShift) | (u64{warp} << kWarpShift) | (IsStrong(access) ? kStrong : 0) |
                std::min<u64>(access.inst->index, RaceShadow::kInstructions),
            serial | clock_.SinceWholeWarp(warp, kTickShift),
            &clock_};
  }

  void RenewIfFull() {
    if (!clock_.IsFull(kTickBits)) return;
    shadow_.Release(serial_, u64{1} << kTickBits);
    serial_ = shadow_.NewSerial();
    clock_.Start();
  }

  static bool IsUnordered(u64 record, const Frame& now, int lane) {
    const bool same_warp = ((record ^ now.mine) & kWarp) == 0;
    if (record >= now.end) return false;
    if (!same_warp) return record >= now.block;
    const bool same_lane = ((record ^ (static_cast<u64>(lane) << kLaneShift)) & kLane) == 0;
    if (record < now.whole || same_lane) return false;
    return record >= now.lanes ||
           !now.clock->IsOrderedByParts(static_cast<u32>((now.mine >> kWarpShift) & 31),
                                        static_cast<int>((record >> kLaneShift) & 31), lane,
                                        (record >> kTickShift) & ((1u << kTickBits) - 1));
  }
  static bool IsReadUnordered(u64 record, const Frame& now, int lane) {
    const bool same_warp = ((record ^ now.mine) & kWarp) == 0;
    return IsUnordered(record, now, lane) ||
           (record < now.end && (((record & kSeveralWarps) && record >= now.block) ||
                                 ((record & kSeveralLanes) && same_warp && record >= now.lanes)));
  }
  /// Blocks run in turns, and the record is another one's, which has not executed a fence since.
  bool IsOfUnorderedBlock(u64 record) const {
    const u64 serial = record >> kSerialShift;
    return shadow_.in_turns() && serial != serial_ && shadow_.IsOfThisLaunch(serial) &&
           ((record >> kTickShift) & ((1u << kTickBits) - 1)) >= shadow_.ReleasedUpTo(serial);
  }

  void Read(const WarpAccess& access, const Frame& now, int lane, u64 address) {
    RaceShadow::Records& records = shadow_.At(address);
    const u64 write = records.last_write.load(std::memory_order_relaxed);
    if (IsUnordered(write, now, lane)) {
      ReportWithin(access, lane, write, Access::kWrite, false);
    } else if (IsOfUnorderedBlock(write)) {
      if (!ReportBetween(access, lane, write, Access::kWrite, false))
        CheckOrdinaryStore(access, lane, records);
    } else {
      CheckOrdinaryStore(access, lane, records);
    }
    if (!IsStrong(access)) NoteRead(records.last_read, now, lane);
    if (shadow_.in_turns()) return;
    shadow_.Enter(records.first_read, First(access, lane), RaceShadow::kMany);
    NoteOther(records.first_write);
  }

  /// The usual read: a granule a lane, side by side or at one address, by a kernel whose blocks do not
  /// communicate.
  bool ReadsInRuns(const WarpAccess& access) const {
    return access.access == Access::kRead && !shadow_.in_turns() && access.pattern &&
           access.pattern->shape != AccessPattern::Shape::kScattered &&
           access.bytes >> shadow_.granule_shift() == 1;
  }
  /// The same as Read() of each lane. Of lanes at one address the first and the last leave their traces.
  void ReadRuns(const WarpAccess& access, const Frame& now) {
    const int run = access.pattern->run_lanes;
    const bool together = access.pattern->shape == AccessPattern::Shape::kAtOneAddress;
    for (int lane = 0, read = 0; lane < kWarpSize; lane += read) {
      if (together) {
        ReadGranule(access, now, lane, read = run);
      } else if (lane % run + kSegment <= run && ReadSegment(access, now, lane)) {
        read = kSegment;
      } else {
        ReadGranule(access, now, lane, read = 1);
      }
    }
  }
  /// Lanes side by side that read a whole segment, to which nobody has written in this launch. False, and
  /// nothing done, where it is none.
  bool ReadSegment(const WarpAccess& access, const Frame& now, int lane) {
    const u64 address = access.address[lane];
    if (shadow_.PlaceInSegment(address) != 0) return false;
    RaceShadow::Segment& segment = shadow_.SegmentAt(address);
    if (shadow_.IsWritten(segment)) return false;
    shadow_.Enter(segment.first_read, First(access, lane), RaceShadow::kMany);
    // Another block may have written meanwhile. It looks for readers after it has said so; one of the two
    // sees the other.
    if (shadow_.IsWritten(segment)) return false;
    if (!IsStrong(access)) NoteRead(segment.last_read, now, lane);
    return true;
  }
  /// `lanes` of them at one address.
  void ReadGranule(const WarpAccess& access, const Frame& now, int lane, int lanes) {
    RaceShadow::Records& records = shadow_.At(access.address[lane]);
    const u64 write = records.last_write.load(std::memory_order_relaxed);
    if (write - now.block < now.end - now.block) {
      for (int i = lane; i < lane + lanes; ++i) Read(access, now, i, access.address[i]);
      return;
    }
    if (!IsStrong(access)) {
      NoteRead(records.last_read, now, lane);
      if (lanes > 1) NoteRead(records.last_read, now, lane + lanes - 1);
    }
    shadow_.Enter(records.first_read, First(access, lane), RaceShadow::kMany);
    NoteOther(records.first_write);
  }

  static void NoteRead(RaceShadow::Record& last, const Frame& now, int lane) {
    const u64 old = last.load(std::memory_order_relaxed);
    const bool same_warp = ((old ^ now.mine) & kWarp) == 0;
    const bool since_block = old >= now.block && old < now.end;
    const bool since_warp = same_warp && since_block && old >= now.lanes;
    if (since_block && (old & kSeveralWarps)) return;
    const u64 place = static_cast<u64>(lane) << kLaneShift;
    u64 flags = since_block && !same_warp ? kSeveralWarps : 0;
    if (since_warp) flags |= (old & kSeveralLanes) | (((old ^ place) & kLane) != 0 ? kSeveralLanes : 0);
    last.store(now.mine | place | flags, std::memory_order_relaxed);
  }

  /// The granule's own record, or its segment's if that alone is unordered.
  u64 LastRead(const RaceShadow::Records& records, const Frame& now, int lane, u64 address) const {
    const u64 own = records.last_read.load(std::memory_order_relaxed);
    if (shadow_.in_turns() || IsReadUnordered(own, now, lane)) return own;
    const u64 first = shadow_.SegmentAt(address).last_read.load(std::memory_order_relaxed);
    const u64 in_run = first + (u64{shadow_.PlaceInSegment(address)} << kLaneShift);
    return IsReadUnordered(in_run, now, lane) ? in_run : own;
  }

  void Write(const WarpAccess& access, const Frame& now, int lane, u64 address, Mask done) {
    RaceShadow::Records& records = shadow_.At(address);
    const u64 write = records.last_write.load(std::memory_order_relaxed);
    const u64 read = LastRead(records, now, lane, address);
    if (IsUnordered(write, now, lane)) {
      ReportWriteWithin(access, lane, address, write, done);
    } else if (IsReadUnordered(read, now, lane)) {
      ReportWithReads(access, now, lane, read);
    } else if (IsOfUnorderedBlock(write)) {
      if (!ReportBetween(access, lane, write, Access::kWrite, access.SameAsMemory(lane)))
        CheckOrdinaryStore(access, lane, records);
    } else if (IsOfUnorderedBlock(read)) {
      ReportBetween(access, lane, read, Access::kRead, false);
    } else {
      CheckOrdinaryStore(access, lane, records);
    }
    NoteOrdinaryStore(access, lane, records);
    if (!IsOwnStoreSinceSynchronising(write, access, now, lane))
      records.last_write.store(now.mine | (static_cast<u64>(lane) << kLaneShift), std::memory_order_relaxed);
    if (!shadow_.in_turns()) NoteFirstWrite(access, lane, records, shadow_.SegmentAt(address));
  }

  /// The usual store: a granule a lane, by a kernel whose blocks do not communicate. The same as Write() of
  /// each lane.
  void WriteGranules(const WarpAccess& access, const Frame& now) {
    const u64 own_records = now.end - now.block;
    Mask done = 0;
    ForEachLane(access.mask, [&](int lane) {
      RaceShadow::Records& records = shadow_.At(access.address[lane]);
      const u64 write = records.last_write.load(std::memory_order_relaxed);
      const u64 read = records.last_read.load(std::memory_order_relaxed);
      RaceShadow::Segment& segment = shadow_.SegmentAt(access.address[lane]);
      const u64 segments_read = segment.last_read.load(std::memory_order_relaxed);
      if (write - now.block < own_records || read - now.block < own_records ||
          segments_read - now.block < own_records) {
        Write(access, now, lane, access.address[lane], done);
      } else {
        records.last_write.store(now.mine | (static_cast<u64>(lane) << kLaneShift),
                                 std::memory_order_relaxed);
        NoteFirstWrite(access, lane, records, segment);
      }
      done |= 1u << lane;
    });
  }

  /// An ordinary store of the thread whose atomic this is.
  static bool IsOwnStoreSinceSynchronising(u64 write, const WarpAccess& access, const Frame& now, int lane) {
    const u64 thread = (now.mine & kWarp) | (static_cast<u64>(lane) << kLaneShift);
    return IsStrong(access) && !(write & kStrong) && write >= now.block && write < now.end &&
           (write & (kWarp | kLane)) == thread;
  }

  /// Of a kernel whose blocks run in turns `first_write` has no other use.
  void NoteOrdinaryStore(const WarpAccess& access, int lane, RaceShadow::Records& records) {
    if (!shadow_.in_turns() || IsStrong(access)) return;
    if (shadow_.IsNow(records.first_write.load(std::memory_order_relaxed))) return;
    records.first_write.store(First(access, lane), std::memory_order_relaxed);
  }
  void CheckOrdinaryStore(const WarpAccess& access, int lane, const RaceShadow::Records& records) {
    if (!shadow_.in_turns() || (has_fences_ && (has_executed_fence_ || !IsStrong(access)))) return;
    const u64 first = records.first_write.load(std::memory_order_relaxed);
    if (!shadow_.IsNow(first) || RaceShadow::BlockOf(first) == (block_ & 0xffffff)) return;
    const u32 thread = RaceShadow::ThreadOf(first);
    const Inst* inst = InstructionAt(access, RaceShadow::InstructionOf(first));
    FaultsOf(access).RaceBetweenBlocks(
        access, lane,
        {inst, thread / kWarpSize, thread % kWarpSize, Access::kWrite, access.SameAsMemory(lane), false});
  }

  void NoteFirstWrite(const WarpAccess& access, int lane, RaceShadow::Records& records,
                      RaceShadow::Segment& segment) {
    shadow_.NoteWritten(segment);
    const u64 before = records.first_write.load(std::memory_order_relaxed);
    const bool others = IsOfOther(before);
    const u64 flags =
        RaceShadow::kMany | (others && DiffersFromOthers(access, lane) ? RaceShadow::kDifferent : 0);
    shadow_.Enter(records.first_write, First(access, lane), flags);
    if (others) shadow_.met.store(true, std::memory_order_relaxed);
    NoteOther(records.first_read);
    NoteOther(segment.first_read);
  }

  /// Whether another block's write, which is recorded, has left another value than this lane writes. A write
  /// is recorded before it happens, so where blocks run at the same time the other one's value is waited for.
  /// It comes within the same instruction, unless the machine has no processor for that host thread.
  bool DiffersFromOthers(const WarpAccess& access, int lane) const {
    if (access.SameAsMemory(lane)) return false;
    if (!shadow_.in_parallel.load(std::memory_order_relaxed)) return true;
    // One value that differs makes the race an error; the others are not waited for.
    if (shadow_.differed.load(std::memory_order_relaxed)) return true;
    constexpr std::chrono::milliseconds kPatience{100};
    const auto until = std::chrono::steady_clock::now() + kPatience;
    do {
      std::this_thread::yield();
      if (access.SameAsMemory(lane)) return false;
    } while (std::chrono::steady_clock::now() < until);
    shadow_.differed.store(true, std::memory_order_relaxed);
    return true;
  }

  bool IsOfOther(u64 first) const {
    return shadow_.IsNow(first) &&
           (RaceShadow::BlockOf(first) != (block_ & 0xffffff) || (first & RaceShadow::kMany));
  }
  void NoteOther(const RaceShadow::Record& record) {
    if (IsOfOther(record.load(std::memory_order_relaxed))) shadow_.met.store(true, std::memory_order_relaxed);
  }

  /// `write` may be of this very execution of the instruction: two of its lanes store to one place.
  void ReportWriteWithin(const WarpAccess& access, int lane, u64 address, u64 write, Mask done) {
    const int other = static_cast<int>((write >> kLaneShift) & 31);
    const bool same_warp = ((write >> kWarpShift) & 31) == access.warp->index;
    const bool now = same_warp && ((done >> other) & 1) && InstructionOf(access, write) == access.inst &&
                     address - access.address[other] < access.bytes;
    if (!now) return ReportWithin(access, lane, write, Access::kWrite, access.SameAsMemory(lane));
    if (IsStrong(access)) return;
    const bool same = access.address[lane] == access.address[other] && access.SameAsLane(lane, other);
    FaultsOf(access).Race(
        access, lane, MemorySpace::kGlobal,
        {access.inst, access.warp->index, static_cast<u32>(other), access.access, same, true});
  }

  void ReportWithin(const WarpAccess& access, int lane, u64 record, Access earlier, bool same_value) {
    if (earlier != Access::kRead && AreStrong(access, lane, record)) return;
    FaultsOf(access).Race(access, lane, MemorySpace::kGlobal, OtherOf(access, record, earlier, same_value));
  }

  /// The record of several reads names one of them, which may well be ordered before this write.
  static void ReportWithReads(const WarpAccess& access, const Frame& now, int lane, u64 read) {
    OtherAccess other = OtherOf(access, read, Access::kRead, false);
    if (!IsUnordered(read, now, lane)) {
      other.lane = static_cast<u32>(lane);
      other.is_of_other_warp = (read & kSeveralWarps) != 0;
    }
    FaultsOf(access).Race(access, lane, MemorySpace::kGlobal, other);
  }

  /// False where the two may be in order, and nothing is said.
  bool ReportBetween(const WarpAccess& access, int lane, u64 record, Access earlier, bool same_value) {
    const bool earlier_strong = earlier != Access::kRead && (record & kStrong);
    if (IsStrong(access) && earlier_strong) return false;
    // With fences about, an atomic may well be what puts the two in order.
    if (has_fences_ && (IsStrong(access) || earlier_strong)) return false;
    FaultsOf(access).RaceBetweenBlocks(access, lane, OtherOf(access, record, earlier, same_value));
    return true;
  }

  static bool AreStrong(const WarpAccess& access, int lane, u64 write) {
    return (write & kStrong) && WARPLINGS_LEVEL::AreStrong(access, lane, InstructionOf(access, write),
                                                           static_cast<u32>((write >> kWarpShift) & 31),
                                                           static_cast<int>((write >> kLaneShift) & 31));
  }

  static OtherAccess OtherOf(const WarpAccess& access, u64 record, Access earlier, bool same_value) {
    const Inst* inst = InstructionOf(access, record);
    if (earlier == Access::kWrite && inst && inst->access == Access::kAtomic) earlier = Access::kAtomic;
    return {inst,
            static_cast<u32>((record >> kWarpShift) & 31),
            static_cast<u32>((record >> kLaneShift) & 31),
            earlier,
            same_value,
            false};
  }
  static const Inst* InstructionOf(const WarpAccess& access, u64 record) {
    return InstructionAt(access, record & RaceShadow::kInstructions);
  }
  static const Inst* InstructionAt(const WarpAccess& access, u64 index) {
    const auto& code = access.warp->block->grid->program->code;
    return index < RaceShadow::kInstructions && index < code.size() ? &code[index] : nullptr;
  }
  u64 First(const WarpAccess& access, int lane) const {
    return shadow_.First(block_, access.inst->index, access.warp->index * kWarpSize + static_cast<u32>(lane));
  }
  static Faults& FaultsOf(const WarpAccess& access) { return *access.warp->block->faults; }

  RaceShadow& shadow_;
  const bool fences_count_, has_fences_;
  bool has_executed_fence_ = false;  ///< Some thread of this block.
  SyncClock clock_;
  u64 block_ = 0;
  u64 serial_ = 0;  ///< 0: none is left, and nothing is recorded.
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
