// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: races and uninitialised reads in shared memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/checks/pending_copies.h"
#include "grader/virtual_gpu/checks/shared_words.h"
#include "grader/virtual_gpu/checks/strong_accesses.h"
#include "grader/virtual_gpu/checks/sync_clock.h"
#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Keeps records (SharedRecords) and reports what they tell. Patterns that touch few words have a way of
/// their own (SharedWords), as far as there is nothing to report.
class SharedChecks final : public Observer, private SharedWords {
 public:
  explicit SharedChecks(const Program& program)
      : shift_(SmallestAccess(program) < 4 ? 0 : 2), values_are_used_(program.uses_strong_values) {}

  void OnBlockStart(BlockContext& block) override {
    const std::size_t granules = (block.shared_bytes >> shift_) + 1 + Words::kMost;
    Clear(writes_, granules);
    Clear(reads_, granules);
    MarkGaps(block);
    clock_.Start();
    copies_.Start();
  }

  void OnBarrierPassed(const BlockContext&) override {
    clock_.SynchroniseBlock();
    if (clock_.IsFull(kTickBits)) Restart();
  }
  void OnWarpSync(const WarpContext& warp, Mask lanes) override {
    clock_.SynchroniseLanes(warp.index, lanes, warp.live);
    if (clock_.IsFull(kTickBits)) Restart();
  }
  void OnFence(const BlockContext& block) override {
    // A fence orders something only for a thread that has learnt, by a strong access, that another is past
    // it.
    if (values_are_used_) OnBarrierPassed(block);
  }
  void OnCopiesCommitted(const WarpContext& warp, Mask lanes) override { copies_.Commit(warp.index, lanes); }
  /// A copy writes when it is waited for, at the latest: to the others it is a write of now.
  void OnCopiesAwaited(const WarpContext& warp, Mask lanes, u32 groups_left) override {
    copies_.Await(warp.index, lanes, groups_left, [&](u32 first, u32 count, int lane) {
      for (u32 at = first; at < first + count; ++at) {
        u64& record = writes_[at];
        if (record == kGap || !(record & kUnderWay) || WhoOf(record) != Who(warp.index, lane)) continue;
        record = clock_.Now(kTickShift) | (record & kBelowTick & ~kUnderWay);
      }
    });
  }

  Mask OnShared(const WarpAccess& access) override {
    const bool usual = !access.unused && access.mask && !access.inst->orders;
    if (usual && HasFewWords(access) && CheckByWords(access)) return access.mask;
    return CheckLanes(access);
  }

 private:
  /// Apart from the usual case, whose function needs no room for 32 lanes then.
  [[gnu::noinline]] Mask CheckLanes(const WarpAccess& access) {
    if (access.unused) [[unlikely]]
      return OnShared(OfLanesThatUse(access)) | (access.mask & access.unused);
    if (!access.mask) return 0;
    if (access.inst->orders) {
      OnFence(*access.warp->block);
      if (HasFewWords(access) && CheckByWords(access)) return access.mask;
    }
    Mask held_back = 0;
    for (u32 step = 0; step < std::max(access.bytes >> shift_, 1u); ++step) {
      held_back |= access.access == Access::kRead ? CheckRead(access, step) : CheckWrite(access, step);
    }
    if (access.is_copy) NoteCopies(access, access.mask & ~held_back);
    return access.mask & ~held_back;
  }

  /// As assign(), of which the compiler would make a function that other sources share, whatever processor
  /// they are for.
  static void Clear(std::vector<u64>& records, std::size_t count) {
    if (records.size() != count) records = std::vector<u64>(count);
    std::fill(records.begin(), records.end(), 0);
  }

  Frame FrameOf(const WarpAccess& access) {
    const u32 index = access.warp->index;
    return {u64{index} << kWarpShift,
            clock_.SinceBlock(kTickShift),
            clock_.SinceWarp(index, kTickShift),
            clock_.Now(kTickShift) | (u64{index} << kWarpShift) | kWritten |
                std::min<u64>(access.inst->index, kInstruction),
            clock_.SinceWholeWarp(index, kTickShift),
            &clock_};
  }
  /// Ticks begin again: all accesses so far are of long ago.
  void Restart() {
    for (u64& record : writes_) {
      if (record != kGap) record &= kBelowTick & ~kUnderWay;
    }
    std::fill(reads_.begin(), reads_.end(), 0);
    clock_.Start();
  }

  static u32 SmallestAccess(const Program& program) {
    u32 least = 4;
    for (const Inst& inst : program.code) {
      if (inst.shared_access_bytes) least = std::min<u32>(least, inst.shared_access_bytes);
    }
    return least;
  }

  void MarkGaps(BlockContext& block) {
    u32 next = 0;
    for (const SharedArray& array : block.grid->program->shared) {
      for (u32 at = (next + (1u << shift_) - 1) >> shift_; at < array.offset >> shift_; ++at)
        writes_[at] = kGap;
      next = array.offset + (array.is_dynamic ? block.grid->dynamic_shared_bytes : array.bytes);
    }
  }

  u32 Granule(const WarpAccess& access, int lane, u32 step) const {
    return static_cast<u32>(access.address[lane] >> shift_) + step;
  }

  /// One lane after the other, so that a lane meets the records of those before it. Neighbours that read one
  /// granule, as in a broadcast, go together.
  Mask CheckRead(const WarpAccess& access, u32 step) {
    alignas(64) u32 granule[kWarpSize];
    for (int i = 0; i < kWarpSize; ++i) granule[i] = Granule(access, i, step);
    const Mask like_before = BitOfEach([&](int i) { return granule[i] == granule[(i + 31) & 31]; });
    const Mask followers = like_before & access.mask & (access.mask << 1);
    const Frame now = FrameOf(access);
    // Strong reads race with plain writes alone; those are found when the read comes second.
    const bool noted = !IsStrong(access), copies = copies_.are_any();
    Mask suspicious = 0;
    ForEachLane(access.mask & ~followers, [&](int i) {
      const bool alone = !((u64{followers} >> (i + 1)) & 1);
      const u64 write = writes_[granule[i]];
      if (write - kWritten >= now.block - kWritten || copies) {
        const bool other = alone ? IsUnordered(write, now, i) : IsRecent(write, now);
        if (write + 1 <= 1 || (write & (kUnderWay | kHides | kSeveralWarps | kSeveralLanes)) || other)
          suspicious |= 1u << i;
      }
      if (noted) NoteRead(reads_[granule[i]], now, i, alone);
    });
    return suspicious ? ReportRead(access, now, granule) : 0;
  }

  bool HasFewWords(const WarpAccess& access) const {
    if (!access.pattern || access.bytes != 4 || shift_ != 2 || copies_.are_any() || access.is_copy)
      return false;
    if (access.pattern->words.count < 0) FindWords(*access.pattern);
    return access.pattern->words.count > 0 || access.pattern->words.few > 0;
  }

  /// Checks an access of few words at once. False: it did nothing, and the lanes have to be checked one by
  /// one.
  bool CheckByWords(const WarpAccess& access) {
    const Words& words = access.pattern->words;
    const u64 first = access.address[__builtin_ctz(access.mask)];
    const std::size_t word = (first + static_cast<u64>(s64{access.pattern->lowest})) >> 2;
    const Frame now = FrameOf(access);
    const u64 strong = IsStrong(access) ? kStrong : 0;
    if (access.access == Access::kRead) {
      return words.few ? ReadFew(words, now, !strong, &writes_[word], &reads_[word])
                       : ReadWords(words, now, !strong, &writes_[word], &reads_[word]);
    }
    if (access.access != Access::kWrite || !words.are_distinct) return false;
    return words.few ? WriteFew(words, now, strong, &writes_[word], &reads_[word])
                     : WriteWords(words, now, strong, &writes_[word], &reads_[word]);
  }

  Mask CheckWrite(const WarpAccess& access, u32 step) {
    const Frame now = FrameOf(access);
    const bool atomic = access.access == Access::kAtomic;
    const u64 mine = now.mine | (IsStrong(access) ? kStrong : 0) | (access.is_copy ? kUnderWay : 0);
    Mask held_back = 0, done = 0;
    ForEachLane(access.mask, [&](int i) {
      const u32 granule = Granule(access, i, step);
      u64& write = writes_[granule];
      const u64 read = reads_[granule];
      const bool suspicious =
          write == kGap || (write & (kUnderWay | kHides | kSeveralWarps | kSeveralLanes)) ||
          IsUnordered(write, now, i) || IsReadUnordered(read, now, i) || (atomic && write == 0);
      if (suspicious && !ReportWrite(access, now, i, granule, read, done)) {
        held_back |= 1u << i;
        return;
      }
      const u64 behind = mine & kStrong ? KeptBehind(granule, now, i) : 0;
      write = mine | behind | (static_cast<u64>(i) << kLaneShift);
      done |= 1u << i;
    });
    return held_back;
  }

  /// What a strong write by the lane has to keep of the write whose place it takes: a plain one, which it
  /// does not order before the strong ones of others; and that there are several writers. The thread that
  /// wrote last may know that the others have, by the value that its atomic gave; where no values are used,
  /// it cannot.
  u64 KeptBehind(u32 granule, const Frame& now, int lane) {
    const u64 write = writes_[granule];
    if (write < now.block) return 0;
    if (write & kStrong) return (write & kHides) | (values_are_used_ ? 0 : SeveralWriters(write, now, lane));
    if (hidden_.size() != writes_.size()) hidden_ = std::vector<u64>(writes_.size());
    hidden_[granule] = write;
    return kHides;
  }
  /// The plain write behind a strong one; 0: there is none that nothing orders before now.
  u64 UnorderedBehind(u32 granule, const Frame& now, int lane) const {
    const u64 write = writes_[granule];
    if (!(write & kHides) || write < now.block) return 0;
    const u64 hidden = hidden_[granule];
    return IsUnordered(hidden, now, lane) ? hidden : 0;
  }

  /// What is said of global memory (IsAnyUnitUnwritten) holds for padding here, too.
  bool IsUnset(const WarpAccess& access, u32 granule) const {
    if (writes_[granule] != 0) return false;
    const u32 unit = access.inst->may_read_padding ? std::min<u32>(access.bytes, 8) >> shift_ : 1;
    const u64* first = &writes_[granule & ~(std::max(unit, 1u) - 1)];
    return std::all_of(first, first + unit, [](u64 write) { return write == 0; });
  }

  Mask ReportRead(const WarpAccess& access, const Frame& now, const u32* granule) {
    Mask held_back = 0, unset = 0;
    ForEachLane(access.mask, [&](int i) { unset |= Mask{IsUnset(access, granule[i])} << i; });
    // Whoever stores nothing of what comes of such a place is right on every card.
    if (unset && access.inst->unset_when >= 0) unset &= LanesThatUse(access, access.inst->unset_when);
    ForEachLane(access.mask, [&](int i) {
      const u64 write = writes_[granule[i]];
      if (write == kGap) {
        held_back |= 1u << i;
        ReportOutside(access, i);
      } else if (write == 0) {
        if (!((unset >> i) & 1)) return;
        FaultsOf(access).Uninitialised(*access.warp, *access.inst, i, MemorySpace::kShared, access.address[i],
                                       access.bytes);
      } else if (write & kUnderWay) {
        ReportCopy(access, i, write);
      } else if (IsUnordered(write, now, i) && !AreStrong(access, i, write)) {
        ReportRace(access, i, write, Access::kWrite, false);
      } else if (const u64 hidden = UnorderedBehind(granule[i], now, i)) {
        ReportRace(access, i, hidden, Access::kWrite, false);
      } else if (IsOfSeveral(write, now) && !IsStrong(access)) {
        ReportRaceWithSeveral(access, now, i, write, Access::kWrite);
      }
    });
    return held_back;
  }

  /// False: the write must not happen. `done`: lanes whose records of this very access are there.
  bool ReportWrite(const WarpAccess& access, const Frame& now, int lane, u32 granule, u64 read, Mask done) {
    const u64 write = writes_[granule];
    if (write == kGap) {
      ReportOutside(access, lane);
      return false;
    }
    if (write & kUnderWay) {
      // Lanes of cooperative_groups::memcpy_async() copy the last element of a piece several times.
      if (!CopiesTheSame(access, lane, write)) ReportCopy(access, lane, write);
      return true;
    }
    if (access.access == Access::kAtomic && write == 0) {
      FaultsOf(access).Uninitialised(*access.warp, *access.inst, lane, MemorySpace::kShared,
                                     access.address[lane], access.bytes);
    }
    if (IsUnordered(write, now, lane) && !AreStrong(access, lane, write)) {
      ReportWriteOverWrite(access, lane, write, done);
    } else if (const u64 hidden = UnorderedBehind(granule, now, lane)) {
      ReportRace(access, lane, hidden, Access::kWrite, access.SameAsMemory(lane));
    } else if (IsOfSeveral(write, now) && !IsStrong(access)) {
      ReportRaceWithSeveral(access, now, lane, write, Access::kWrite);
    } else if (IsReadUnordered(read, now, lane)) {
      ReportRaceWithSeveral(access, now, lane, read, Access::kRead);
    }
    return true;
  }

  /// Where both are of one execution, two lanes store to one granule: which of them stays is not defined.
  void ReportWriteOverWrite(const WarpAccess& access, int lane, u64 write, Mask done) {
    const int other = static_cast<int>((write >> kLaneShift) & 31);
    const bool now = ((write ^ Who(access.warp->index, other)) & kWarp) == 0 && ((done >> other) & 1) &&
                     InstructionOf(access, write) == access.inst &&
                     access.address[lane] + access.bytes > access.address[other] &&
                     access.address[other] + access.bytes > access.address[lane];
    if (!now) return ReportRace(access, lane, write, Access::kWrite, access.SameAsMemory(lane));
    const bool same = access.address[lane] == access.address[other] && access.SameAsLane(lane, other);
    FaultsOf(access).Race(
        access, lane, MemorySpace::kShared,
        {access.inst, access.warp->index, static_cast<u32>(other), access.access, same, true});
  }

  bool AreStrong(const WarpAccess& access, int lane, u64 write) const {
    return (write & kStrong) && WARPLINGS_LEVEL::AreStrong(access, lane, InstructionOf(access, write),
                                                           static_cast<u32>((write >> kWarpShift) & 31),
                                                           static_cast<int>((write >> kLaneShift) & 31));
  }

  /// A copy of what an earlier one, or that of another lane, copies to the same place: in whatever order they
  /// end, it is the same.
  static bool CopiesTheSame(const WarpAccess& access, int lane, u64 earlier) {
    if (!access.copied) return false;
    const auto same_as = [&](const std::byte* bytes) {
      return std::memcmp(bytes, access.copied + 16 * lane, access.bytes) == 0;
    };
    if (same_as(access.warp->block->shared + access.address[lane])) return true;
    const int other = static_cast<int>((earlier >> kLaneShift) & 31);
    return WhoOf(earlier) == Who(access.warp->index, other) &&
           InstructionOf(access, earlier) == access.inst && ((access.mask >> other) & 1) &&
           access.address[other] == access.address[lane] && same_as(access.copied + 16 * other);
  }

  void ReportOutside(const WarpAccess& access, int lane) {
    FaultsOf(access).OutOfBoundsWindow(*access.warp, *access.inst, lane, MemorySpace::kShared,
                                       access.address[lane], access.bytes, access.access);
  }
  void ReportCopy(const WarpAccess& access, int lane, u64 record) {
    FaultsOf(access).CopyUnderWay(access, lane, InstructionOf(access, record),
                                  WhoOf(record) == Who(access.warp->index, lane));
  }
  void ReportRace(const WarpAccess& access, int lane, u64 record, Access earlier, bool same_value) {
    const Inst* inst = InstructionOf(access, record);
    if (earlier == Access::kWrite && inst && inst->access == Access::kAtomic) earlier = Access::kAtomic;
    FaultsOf(access).Race(access, lane, MemorySpace::kShared,
                          {inst, static_cast<u32>((record >> kWarpShift) & 31),
                           static_cast<u32>((record >> kLaneShift) & 31), earlier, same_value, false});
  }

  /// The record of accesses by several names one of them, which may well be ordered before this one.
  void ReportRaceWithSeveral(const WarpAccess& access, const Frame& now, int lane, u64 record,
                             Access earlier) {
    const Inst* inst = InstructionOf(access, record);
    if (earlier == Access::kWrite && inst && inst->access == Access::kAtomic) earlier = Access::kAtomic;
    const bool is_named = IsUnordered(record, now, lane);
    FaultsOf(access).Race(access, lane, MemorySpace::kShared,
                          {inst, static_cast<u32>((record >> kWarpShift) & 31),
                           is_named ? static_cast<u32>((record >> kLaneShift) & 31) : static_cast<u32>(lane),
                           earlier, false, false, !is_named && (record & kSeveralWarps) != 0});
  }

  void NoteCopies(const WarpAccess& access, Mask lanes) {
    Mask left_out = 0;
    ForEachLane(lanes, [&](int i) {
      const u32 first = static_cast<u32>(access.address[i] >> shift_);
      if (!copies_.Add(access.warp->index, i, first, std::max(access.bytes >> shift_, 1u)))
        left_out |= 1u << i;
    });
    if (!left_out) return;
    FaultsOf(access).Trap(*access.warp, *access.inst, left_out, say::too_many_copies());
  }

  static const Inst* InstructionOf(const WarpAccess& access, u64 record) {
    const u64 index = record & kInstruction;
    const auto& code = access.warp->block->grid->program->code;
    return index < kInstruction && index < code.size() ? &code[index] : nullptr;
  }
  static Faults& FaultsOf(const WarpAccess& access) { return *access.warp->block->faults; }

  const u32 shift_;
  const bool values_are_used_;
  SyncClock clock_;
  PendingCopies copies_;
  std::vector<u64> writes_, reads_;
  std::vector<u64> hidden_;  ///< Plain writes behind those of writes_ that are kHides.
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
