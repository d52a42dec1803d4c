// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: barriers of a block.
#pragma once

#include <algorithm>

#include "grader/virtual_gpu/engine/block_run.h"
#include "grader/virtual_gpu/exec/warp_ops.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline void BlockRun::ArriveAtBarrier(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
  const int lane = __builtin_ctz(mask);
  const u32 id = warp.Lanes<const u32>(in.op[1])[lane] & 15;
  const u32 count = in.op[2] == kNoOperand ? 0 : warp.Lanes<const u32>(in.op[2])[lane];
  const bool only_arrives = BarrierModeOf(in) == kBarrierArrive;
  SplitOff(warp, slot, mask);
  Split& waiting = warp.splits[slot];
  if (!only_arrives) waiting.state = Split::State::kAtBarrier;
  waiting.barrier = static_cast<std::uint8_t>(id);
  if (grid_.observation.checks) {
    // After a first divergent barrier every later one differs, too: only the first is reported. Lanes that
    // wait for members of a mask would arrive here: the mask keeps them, and the report of the deadlock says
    // that.
    if (in.is_aligned && mask != warp.live && !out_of_step_ && !warp.is_torn) {
      if (!AnyAtWarpSync(warp)) block_.faults->PartialWarpAtBarrier(warp, in, mask);
      out_of_step_ = true;
    }
  }
  BarrierState& barrier = block_.barriers[id];
  if (barrier.arrived_threads == 0) {
    barrier.first_pc = waiting.pc;
    barrier.expected_threads = count;
  } else if (barrier.first_pc != waiting.pc && !count && grid_.observation.checks && !out_of_step_) {
    out_of_step_ = true;
    block_.faults->DifferentBarriers(warp, grid_.program->code[static_cast<std::size_t>(barrier.first_pc)],
                                     in, mask);
  }
  // With a thread count, hardware counts whole warps.
  barrier.arrived_threads += count ? kWarpSize : static_cast<u32>(__builtin_popcount(mask));
  if (in.op[3] != kNoOperand) CountVotes(barrier.votes, SourcePredicate(warp, in, in.op[3]), mask);
  if (only_arrives) ++waiting.pc;
  PassIfComplete(id);
}

inline bool BlockRun::AnyAtWarpSync(const WarpContext& warp) {
  return std::ranges::any_of(warp.splits,
                             [](const Split& split) { return split.state == Split::State::kAtWarpSync; });
}

inline void BlockRun::CountVotes(BarrierVotes& votes, Mask vote, Mask lanes) {
  votes.threads += static_cast<u32>(__builtin_popcount(lanes));
  votes.true_threads += static_cast<u32>(__builtin_popcount(vote & lanes));
}

inline void BlockRun::FinishBarrier(WarpContext& warp, const Split& split) {
  const Inst& in = grid_.program->code[static_cast<std::size_t>(split.pc)];
  if (in.op[3] == kNoOperand) return;
  warp.base[0] = split.frame;
  in.handler(warp, in, split.mask);
}

inline void BlockRun::PassIfComplete(u32 id) {
  BarrierState& barrier = block_.barriers[id];
  if (!barrier.arrived_threads) return;
  const u32 expected = barrier.expected_threads ? barrier.expected_threads : block_.live_threads;
  if (barrier.arrived_threads < expected) return;
  if (block_.live_threads != block_.threads && !barrier.expected_threads && grid_.observation.checks) {
    ReportReturned(id);
  }
  block_.barrier_votes = barrier.votes;
  barrier = {};
  for (WarpContext& warp : block_.warps) {
    for (Split& split : warp.splits) {
      if (split.state != Split::State::kAtBarrier || split.barrier != id) continue;
      FinishBarrier(warp, split);
      split.state = Split::State::kRunnable;
      ++split.pc;
    }
  }
  for (Observer* observer : block_.observers) observer->OnBarrierPassed(block_);
}

inline void BlockRun::ReportReturned(u32 id) {
  for (const WarpContext& warp : block_.warps) {
    for (const Split& split : warp.splits) {
      if (split.state != Split::State::kAtBarrier || split.barrier != id) continue;
      block_.faults->BarrierAfterExit(warp, grid_.program->code[static_cast<std::size_t>(split.pc)],
                                      split.mask, block_.threads - block_.live_threads);
      return;
    }
  }
}

inline void BlockRun::CheckBarriersAfterExit() {
  for (u32 id = 0; id < block_.barriers.size(); ++id) PassIfComplete(id);
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
