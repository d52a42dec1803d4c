// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: races in global memory. For kernels whose blocks do not communicate: where there
// are atomics or fences, these may order what this check cannot see ordered.
#pragma once

#include <algorithm>

#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/exec/lanes.h"
#include "grader/virtual_gpu/memory/race_shadow.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Within a block: two accesses of different warps, one of them writing, with no barrier between. Between
/// blocks: who touched a word is only noted; FaultReporter::BlockRaces looks at it when the launch has ended.
/// Accesses of less than a word are left out.
class GlobalRaces final : public Observer {
 public:
  explicit GlobalRaces(RaceShadow& shadow) : shadow_(shadow) {}

  void OnBlockStart(BlockContext& block) override {
    block_ = block.linear_index;
    epoch_ = 1;
  }
  void OnBarrierPassed(BlockContext&) override {
    // Beyond the last number epochs cannot be told apart: better to miss a race than to invent one.
    epoch_ = std::min(epoch_ + 1, kLastEpoch);
  }

  Mask OnGlobal(const WarpAccess& access) override {
    // Records are of words: neighbours that each write a byte of one word must not look like a race.
    const u32 words = access.bytes >> 2;
    ForEachLane(access.mask, [&](int lane) {
      for (u32 i = 0; i < words; ++i) {
        const u64 address = access.address[lane] + 4 * i;
        if (access.access == Access::kRead) {
          Read(access, lane, address);
        } else {
          Write(access, lane, address);
        }
      }
    });
    return access.mask;
  }

 private:
  static constexpr u64 kLastEpoch = (1 << 12) - 1;
  static constexpr u64 kSeveralWarps = u64{1} << 14;
  static constexpr int kSameWarp = 15, kSameEpoch = 20;

  /// Of a last record: launch, block, epoch, warp.
  u64 Key(const WarpAccess& access) const {
    return (shadow_.launch() << 52) | ((block_ & 0xfffff) << 32) | (epoch_ << 20) |
           (u64{access.warp->index} << 15);
  }
  static u32 Thread(const WarpAccess& access, int lane) {
    return access.warp->index * kWarpSize + static_cast<u32>(lane);
  }
  bool Unordered(u64 record, u64 key) const {
    return (record ^ key) >> kSameEpoch == 0 && (record ^ key) >> kSameWarp != 0 && epoch_ != kLastEpoch;
  }
  static u64 Instruction(const WarpAccess& access) {
    return std::min<u64>(access.inst->index, RaceShadow::kInstructions);
  }

  void Read(const WarpAccess& access, int lane, u64 address) {
    const u64 key = Key(access);
    const u64 write = shadow_.LastWrite(address).load(std::memory_order_relaxed);
    if (Unordered(write, key)) Report(access, lane, write, Access::kWrite);
    auto& last = shadow_.LastRead(address);
    const u64 read = last.load(std::memory_order_relaxed);
    const bool same_epoch = (read ^ key) >> kSameEpoch == 0;
    const u64 several =
        same_epoch ? (read & kSeveralWarps) | ((read ^ key) >> kSameWarp ? kSeveralWarps : 0) : 0;
    last.store(key | several | Instruction(access), std::memory_order_relaxed);

    shadow_.Enter(shadow_.FirstRead(address), block_, access.inst->index, Thread(access, lane),
                  RaceShadow::kMany);
    NoteOther(shadow_.FirstWrite(address));
  }

  void Write(const WarpAccess& access, int lane, u64 address) {
    const u64 key = Key(access);
    const u64 write = shadow_.LastWrite(address).load(std::memory_order_relaxed);
    const u64 read = shadow_.LastRead(address).load(std::memory_order_relaxed);
    // Two warps that write the same value do no harm.
    if (Unordered(write, key) && !access.SameAsMemory(lane)) {
      Report(access, lane, write, Access::kWrite);
    } else if (Unordered(read, key) || ((read ^ key) >> kSameEpoch == 0 && (read & kSeveralWarps))) {
      Report(access, lane, read, Access::kRead);
    }
    shadow_.LastWrite(address).store(key | Instruction(access), std::memory_order_relaxed);

    const u64 before = shadow_.FirstWrite(address).load(std::memory_order_relaxed);
    const bool others = shadow_.IsNow(before) &&
                        (RaceShadow::BlockOf(before) != (block_ & 0xffffff) || (before & RaceShadow::kMany));
    const u64 flags = RaceShadow::kMany | (others && !access.SameAsMemory(lane) ? RaceShadow::kDifferent : 0);
    shadow_.Enter(shadow_.FirstWrite(address), block_, access.inst->index, Thread(access, lane), flags);
    if (others) shadow_.met.store(true, std::memory_order_relaxed);
    NoteOther(shadow_.FirstRead(address));
  }

  void NoteOther(const RaceShadow::Record& record) {
    const u64 first = record.load(std::memory_order_relaxed);
    if (!shadow_.IsNow(first)) return;
    if (RaceShadow::BlockOf(first) != (block_ & 0xffffff) || (first & RaceShadow::kMany)) {
      shadow_.met.store(true, std::memory_order_relaxed);
    }
  }

  void Report(const WarpAccess& access, int lane, u64 record, Access earlier_access) {
    const u64 index = record & RaceShadow::kInstructions;
    const auto& code = access.warp->block->grid->program->code;
    const Inst* earlier = index < RaceShadow::kInstructions && index < code.size() ? &code[index] : nullptr;
    access.warp->block->faults->GlobalRace(*access.warp, *access.inst, lane, access.address[lane],
                                           access.bytes, access.access, (record >> kSameWarp) & 31, earlier,
                                           earlier_access);
  }

  RaceShadow& shadow_;
  u64 block_ = 0;
  u64 epoch_ = 1;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
