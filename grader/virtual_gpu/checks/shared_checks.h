// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: races and uninitialised reads in shared memory.
#pragma once

#include <algorithm>
#include <vector>

#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// For each granule of a block's shared memory (a 4-byte word, or a byte in kernels that access less
/// than a word) one record of the last write and one of the last read:
///
///     bit 31..22  epoch: how many barriers the block had passed, from 1; 0: long ago
///         21..17  warp
///         16      write: a strong one; read: by more than one warp in this epoch
///         15..0   instruction, saturated
///
/// Two accesses race when they fall into one epoch, come from different warps, and one of them is a
/// write; strong ones (atomic, volatile, relaxed, …) do not race with each other. A write record of 0 means that nobody has written.
class SharedChecks final : public Observer {
 public:
  explicit SharedChecks(const Program& program) : shift_(SmallestAccess(program) < 4 ? 0 : 2) {}

  void OnBlockStart(BlockContext& block) override {
    const std::size_t granules = (block.shared_bytes >> shift_) + 1;
    writes_.assign(granules, 0);
    reads_.assign(granules, 0);
    MarkGaps(block);
    epoch_ = 1;
  }

  void OnBarrierPassed(BlockContext&) override {
    if (++epoch_ < 1u << 10) return;
    for (u32& record : writes_) {
      if (record && record != kGap) record = (record & 0x003fffffu) | kLongAgo;
    }
    std::fill(reads_.begin(), reads_.end(), 0);
    epoch_ = 1;
  }

  Mask OnShared(const WarpAccess& access) override {
    const u32 key = (epoch_ << 22) | (access.warp->index << 17);
    Mask held_back = 0;
    for (u32 step = 0; step < std::max(access.bytes >> shift_, 1u); ++step) {
      held_back |=
          access.access == Access::kRead ? CheckRead(access, key, step) : CheckWrite(access, key, step);
    }
    return access.mask & ~held_back;
  }

 private:
  static constexpr u32 kFlag = 1u << 16;
  static constexpr u32 kGap = 0xffffffffu;  ///< Between two arrays: not addressable.
  static constexpr u32 kLongAgo = kFlag;    ///< Keeps an old record from reading "never written".
  static constexpr int kSameWarp = 17, kSameEpoch = 22;

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

  /// The granule of each lane; lanes outside the mask get the spare one at the end.
  void Granules(const WarpAccess& access, u32 step, u32* granule) const {
    const u32 spare = static_cast<u32>(writes_.size() - 1);
    for (int i = 0; i < kWarpSize; ++i) {
      granule[i] = (access.mask >> i) & 1 ? static_cast<u32>(access.address[i] >> shift_) + step : spare;
    }
  }

  Mask CheckRead(const WarpAccess& access, u32 key, u32 step) {
    alignas(64) u32 granule[kWarpSize];
    alignas(64) u32 write[kWarpSize];
    alignas(64) u32 read[kWarpSize];
    Granules(access, step, granule);
    const u32 mine = key | Index(access);
    for (int i = 0; i < kWarpSize; ++i) write[i] = writes_[granule[i]];
    for (int i = 0; i < kWarpSize; ++i) read[i] = reads_[granule[i]];
    u32 suspicious = 0;
    for (int i = 0; i < kWarpSize; ++i) {
      const u32 differs = write[i] ^ key;
      suspicious |= u32(write[i] == 0) | u32(write[i] == kGap) |
                    (u32(differs >> kSameEpoch == 0) & u32(differs >> kSameWarp != 0));
    }
    for (int i = 0; i < kWarpSize; ++i) {
      const u32 differs = read[i] ^ key;
      const u32 shared_flag =
          differs >> kSameEpoch == 0 ? (read[i] & kFlag) | (differs >> kSameWarp != 0 ? kFlag : 0) : 0;
      read[i] = mine | shared_flag;
    }
    // Strong reads race with plain writes alone; those are found when the read comes second.
    if (!IsStrong(access)) {
      for (int i = 0; i < kWarpSize; ++i) reads_[granule[i]] = read[i];
    }
    return suspicious ? ReportRead(access, key, granule) : 0;
  }

  Mask CheckWrite(const WarpAccess& access, u32 key, u32 step) {
    alignas(64) u32 granule[kWarpSize];
    alignas(64) u32 before[kWarpSize];
    Granules(access, step, granule);
    const bool atomic = access.access == Access::kAtomic, strong = IsStrong(access);
    u32 suspicious = 0;
    for (int i = 0; i < kWarpSize; ++i) {
      const u32 write = before[i] = writes_[granule[i]];
      const u32 read = reads_[granule[i]];
      const u32 by_write = write ^ key, by_read = read ^ key;
      suspicious |=
          u32(write == kGap) | (u32(by_write >> kSameEpoch == 0) & u32(by_write >> kSameWarp != 0)) |
          (u32(by_read >> kSameEpoch == 0) & (u32(by_read >> kSameWarp != 0) | u32((read & kFlag) != 0))) |
          u32(atomic & (write == 0));
    }
    Mask held_back = 0;
    if (suspicious) held_back = ReportWrite(access, key, granule);
    const u32 mine = key | (strong ? kFlag : 0) | Index(access);
    ForEachLane(access.mask & ~held_back, [&](int i) { writes_[granule[i]] = mine; });
    return held_back;
  }

  Mask ReportRead(const WarpAccess& access, u32 key, const u32* granule) {
    Mask held_back = 0;
    ForEachLane(access.mask, [&](int i) {
      const u32 write = writes_[granule[i]];
      const u32 differs = write ^ key;
      if (write == kGap) {
        held_back |= 1u << i;
        Faults(access).OutOfBoundsWindow(*access.warp, *access.inst, i, MemorySpace::kShared,
                                         access.address[i], access.bytes, access.access);
      } else if (write == 0) {
        Faults(access).Uninitialised(*access.warp, *access.inst, i, MemorySpace::kShared, access.address[i],
                                     access.bytes);
      } else if (differs >> kSameEpoch == 0 && differs >> kSameWarp != 0 &&
                 !(IsStrong(access) && (write & kFlag))) {
        ReportRace(access, i, write, Access::kWrite);
      }
    });
    return held_back;
  }

  Mask ReportWrite(const WarpAccess& access, u32 key, const u32* granule) {
    Mask held_back = 0;
    const bool atomic = access.access == Access::kAtomic;
    ForEachLane(access.mask, [&](int i) {
      const u32 write = writes_[granule[i]], read = reads_[granule[i]];
      const u32 by_write = write ^ key, by_read = read ^ key;
      if (write == kGap) {
        held_back |= 1u << i;
        Faults(access).OutOfBoundsWindow(*access.warp, *access.inst, i, MemorySpace::kShared,
                                         access.address[i], access.bytes, access.access);
        return;
      }
      if (atomic && write == 0) {
        Faults(access).Uninitialised(*access.warp, *access.inst, i, MemorySpace::kShared, access.address[i],
                                     access.bytes);
      }
      const bool both_strong = IsStrong(access) && (write & kFlag);
      if (by_write >> kSameEpoch == 0 && by_write >> kSameWarp != 0 && !both_strong) {
        ReportRace(access, i, write, Access::kWrite);
      } else if (by_read >> kSameEpoch == 0 && (by_read >> kSameWarp != 0 || (read & kFlag))) {
        ReportRace(access, i, read, Access::kRead);
      }
    });
    return held_back;
  }

  void ReportRace(const WarpAccess& access, int lane, u32 record, Access earlier_access) {
    const u32 index = record & 0xffffu;
    const auto& code = access.warp->block->grid->program->code;
    const Inst* earlier = index < 0xffffu && index < code.size() ? &code[index] : nullptr;
    Faults(access).SharedRace(*access.warp, *access.inst, lane, access.address[lane], access.bytes,
                              access.access, (record >> 17) & 31, earlier, earlier_access);
  }

  static bool IsStrong(const WarpAccess& access) { return access.inst->communicates; }
  static u32 Index(const WarpAccess& access) { return std::min<u32>(access.inst->index, 0xffffu); }
  static FaultReporter& Faults(const WarpAccess& access) { return *access.warp->block->faults; }

  u32 shift_;
  u32 epoch_ = 1;
  std::vector<u32> writes_, reads_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
