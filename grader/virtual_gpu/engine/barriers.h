// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: barriers of a block.
#pragma once

#include <algorithm>

#include "grader/virtual_gpu/engine/block_run.h"
#include "grader/virtual_gpu/instructions/warp_ops.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

// Since compute capability 7.0 threads arrive one by one, but hardware keeps the account of a barrier in
// warps where the instruction has a thread count: "barrier{.cta} instruction causes executing thread to wait
// for all non-exited threads from its warp and marks warps' arrival at barrier" (PTX ISA, barrier). So lanes
// that come without the rest of their warp, also to an arrive, wait for it; then the warp counts as 32
// threads, even if some of its lanes have exited or the block never had them. Without a thread count each
// live thread is waited for, which comes to the same.

inline void BlockRun::ArriveAtBarrier(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
  const int lane = __builtin_ctz(mask);
  const u32 id = warp.Lanes<const u32>(in.op[1])[lane] & 15;
  SplitOff(warp, slot, mask);
  Split& waiting = warp.splits[slot];
  waiting.state = Split::State::kAtBarrier;
  waiting.barrier = static_cast<std::uint8_t>(id);
  waiting.is_counted = ThreadCountAt(warp, waiting) == 0;
  if (grid_.observation.checks) CheckAlignment(warp, in, mask);
  if (waiting.is_counted) {
    CountThreads(warp, waiting, in);
  } else {
    CountWarpIfComplete(warp, id);
  }
  PassIfComplete(id);
}

/// After a first divergent barrier every later one differs, too: only the first is reported. Lanes that wait
/// for members of a mask would arrive here: the mask keeps them, and the report of the deadlock says that.
inline void BlockRun::CheckAlignment(const WarpContext& warp, const Inst& in, Mask mask) {
  if (!in.is_aligned || mask == warp.live || out_of_step_ || warp.is_torn) return;
  if (!AnyAtWarpSync(warp)) block_.faults->PartialWarpAtBarrier(warp, in, mask);
  out_of_step_ = true;
}

inline void BlockRun::CountThreads(WarpContext& warp, Split& split, const Inst& in) {
  BarrierState& barrier = block_.barriers[split.barrier];
  if (barrier.arrived_threads == 0) {
    barrier.first_pc = split.pc;
    barrier.expected_threads = 0;
  } else if (barrier.first_pc != split.pc && grid_.observation.checks && !out_of_step_) {
    out_of_step_ = true;
    block_.faults->DifferentBarriers(warp, grid_.program->code[static_cast<std::size_t>(barrier.first_pc)],
                                     in, split.mask);
  }
  barrier.arrived_threads += static_cast<u32>(__builtin_popcount(split.mask));
  FinishArrival(warp, split, barrier);
}

inline void BlockRun::CountWarpIfComplete(WarpContext& warp, u32 id) {
  const auto is_here = [&](const Split& split) {
    return split.state == Split::State::kAtBarrier && split.barrier == id && !split.is_counted;
  };
  Mask here = 0;
  for (const Split& split : warp.splits) here |= is_here(split) ? split.mask : 0;
  if (!here || (warp.live & ~here)) return;
  BarrierState& barrier = block_.barriers[id];
  for (Split& split : warp.splits) {
    if (!is_here(split)) continue;
    if (barrier.arrived_threads == 0) {
      barrier.first_pc = split.pc;
      barrier.expected_threads = ThreadCountAt(warp, split);
    }
    split.is_counted = true;
    FinishArrival(warp, split, barrier);
  }
  barrier.arrived_threads += kWarpSize;
}

inline void BlockRun::FinishArrival(WarpContext& warp, Split& split, BarrierState& barrier) {
  const Inst& in = InstructionOf(split);
  if (in.op[3] != kNoOperand) {
    const FrameScope frame(warp, split);
    const Mask vote = SourcePredicate(warp, in, in.op[3]);
    barrier.votes.threads += static_cast<u32>(__builtin_popcount(split.mask));
    barrier.votes.true_threads += static_cast<u32>(__builtin_popcount(vote & split.mask));
  }
  if (BarrierModeOf(in) != kBarrierArrive) return;
  split.state = Split::State::kRunnable;
  ++split.pc;
}

inline u32 BlockRun::ThreadCountAt(WarpContext& warp, const Split& split) const {
  const Inst& in = InstructionOf(split);
  if (in.op[2] == kNoOperand) return 0;
  const FrameScope frame(warp, split);
  return warp.Lanes<const u32>(in.op[2])[__builtin_ctz(split.mask)];
}

inline bool BlockRun::AnyAtWarpSync(const WarpContext& warp) {
  return std::ranges::any_of(warp.splits,
                             [](const Split& split) { return split.state == Split::State::kAtWarpSync; });
}

inline void BlockRun::FinishBarrier(WarpContext& warp, const Split& split) {
  const Inst& in = InstructionOf(split);
  if (in.op[3] == kNoOperand) return;
  const FrameScope frame(warp, split);
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
      if (split.state != Split::State::kAtBarrier || split.barrier != id || !split.is_counted) continue;
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
      block_.faults->BarrierAfterExit(warp, InstructionOf(split), split.mask,
                                      block_.threads - block_.live_threads);
      return;
    }
  }
}

inline void BlockRun::CheckBarriersAfterExit(WarpContext& warp) {
  for (u32 id = 0; id < block_.barriers.size(); ++id) {
    if (!warp.splits.empty()) CountWarpIfComplete(warp, id);
    PassIfComplete(id);
  }
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
