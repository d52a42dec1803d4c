// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: records a few requests in full, to be drawn. Only if requested.
#pragma once

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <tuple>
#include <utility>

#include "grader/virtual_gpu/counters/access_log.h"
#include "grader/virtual_gpu/counters/memory_counters.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Samples three blocks of those that run (the first, one in the middle and the last) and three warps of each
/// (the first two and the last). Keeps the first requests of each source line, up to a fixed number per warp,
/// so that a submission cannot make it grow.
///
/// Lanes whose access was suppressed because it misses the array are recorded, but not counted.
class AccessRecorder final : public Observer {
 public:
  explicit AccessRecorder(AccessLog& log) : log_(log) {}
  ~AccessRecorder() override { log_.Add(std::move(noted_)); }

  void OnBlockStart(BlockContext& block) override {
    const GridRequest& grid = *block.grid;
    const u64 blocks = grid.grid.Volume();
    u64 runs = blocks, index = block.linear_index;
    // Of a sample, one block of each of as many stretches of the grid runs (GridRun::PlaceOf).
    if (grid.blocks_to_run && grid.blocks_to_run < blocks) {
      runs = grid.blocks_to_run;
      index = static_cast<u64>(static_cast<double>(block.linear_index) * static_cast<double>(runs) /
                               static_cast<double>(blocks));
    }
    takes_block_ = index == 0 || index == runs / 2 || index == runs - 1;
    phase_ = 0;
    visits_.clear();
    by_line_.clear();
    by_warp_.clear();
  }
  void OnBarrierPassed(const BlockContext&) override { ++phase_; }

  Mask OnGlobal(const WarpAccess& access) override {
    if (AccessSample* sample = Begin(access, MemorySpace::kGlobal)) {
      const GlobalMemory& memory = *access.warp->block->grid->memory;
      const Region* region = nullptr;
      ForEachLane(access.mask, [&](int lane) {
        if (!region) region = memory.Find(access.address[lane]);
      });
      if (!region) region = memory.FindNearest(access.address[__builtin_ctz(access.mask)]);
      if (region) {
        sample->object = region->label;
        sample->object_bytes = region->bytes;
      }
      SetOffsets(*sample, access, region ? region->start : 0);
      sample->sectors = CountSectors(access);
    }
    return access.mask;
  }

  Mask OnShared(const WarpAccess& access) override {
    if (AccessSample* sample = Begin(access, MemorySpace::kShared)) {
      const GridRequest& grid = *access.warp->block->grid;
      const SharedArray* array = nullptr;
      for (const SharedArray& each : grid.program->shared) {  // in order of offset
        if (each.offset <= access.address[__builtin_ctz(access.mask)]) array = &each;
      }
      if (array) {
        sample->object = "shared array " + array->name;
        sample->object_bytes = array->is_dynamic ? grid.dynamic_shared_bytes : array->bytes;
      }
      SetOffsets(*sample, access, array ? array->offset : 0);
      sample->wavefronts = CountWavefronts(access);
      sample->conflicts = sample->wavefronts - std::min(sample->wavefronts, BestWavefronts(access));
    }
    return access.mask;
  }

 private:
  static constexpr u32 kMostOfALine = 12;
  static constexpr u32 kMostOfAWarp = kMaximumAccessSamples / 9;

  /// Null if the request is not recorded.
  AccessSample* Begin(const WarpAccess& access, MemorySpace space) {
    const WarpContext& warp = *access.warp;
    const u32 last_warp = (warp.block->threads - 1) / kWarpSize;
    if (!takes_block_ || (warp.index > 1 && warp.index != last_warp)) return nullptr;
    if (by_warp_[warp.index] >= kMostOfAWarp) return nullptr;
    u32& of_line = by_line_[{warp.index, access.inst->line, space, access.access}];
    if (of_line >= kMostOfALine) return nullptr;
    ++of_line;
    ++by_warp_[warp.index];
    const Program& program = *warp.block->grid->program;
    LoggedAccess& logged = noted_.emplace_back();
    logged.instruction = access.inst->index;
    logged.block = warp.block->linear_index;
    AccessSample& sample = logged.sample;
    sample.where = program.Where(*access.inst);
    sample.opcode = program.opcodes[access.inst->index];
    sample.space = space;
    sample.access = access.access;
    sample.block = warp.block->index;
    sample.warp = warp.index;
    sample.phase = phase_;
    sample.visit = visits_[{warp.index, access.inst->index, space}]++;
    sample.lanes = access.mask | access.held_back;
    sample.bytes = access.bytes;
    if (access.access == Access::kAtomic) sample.passes = CountPasses(access);
    return &sample;
  }

  static void SetOffsets(AccessSample& sample, const WarpAccess& access, u64 start) {
    sample.start = static_cast<u32>(start % 128);
    ForEachLane(sample.lanes, [&](int lane) {
      sample.offsets.push_back(static_cast<std::int64_t>(access.address[lane] - start));
    });
  }

  AccessLog& log_;
  std::list<LoggedAccess> noted_;
  bool takes_block_ = false;
  u32 phase_ = 0;
  std::map<std::tuple<u32, u32, MemorySpace>, u32> visits_;           ///< By warp, instruction and space.
  std::map<std::tuple<u32, u32, MemorySpace, Access>, u32> by_line_;  ///< By warp, line, space and access.
  std::map<u32, u32> by_warp_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
