// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the turn of one split, instruction by instruction.
#pragma once

#include <algorithm>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/engine/barriers.h"
#include "grader/virtual_gpu/engine/calls.h"
#include "grader/virtual_gpu/engine/divergence.h"
#include "grader/virtual_gpu/engine/warp_sync.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// The split's lanes whose guard predicate holds: they execute the instruction.
inline Mask GuardedLanes(const WarpContext& warp, const Inst& in, Mask mask) {
  if (in.guard == kNoOperand) return mask;
  const Mask p = *warp.Lanes<const Mask>(in.guard);
  return mask & (in.guard_negated ? ~p : p);
}

inline bool BlockRun::RunSplit(WarpContext& warp, Split& split, u64& budget) {
  return grid_.observation.counters ? RunLoop<true>(warp, split, budget)
                                    : RunLoop<false>(warp, split, budget);
}

template <bool kCount>
bool BlockRun::RunLoop(WarpContext& warp, Split& start, u64& budget) {
  const Inst* code = grid_.program->code.data();
  InstCounts* counts = counts_.data();
  // The current split is kept in local variables and written back when the scheduler has to see it. Functions
  // that change it get a copy, so that the compiler can keep the loop's own in registers.
  Split current = start;
  const std::size_t slot = static_cast<std::size_t>(&start - warp.splits.data());
  const u64 given = std::min(grid_.BlocksOftenWait() ? kShortSplitQuantum : kSplitQuantum, budget);
  u64 left = given, spins = 0;
  warp.base[0] = current.frame;

  for (;;) {
    const Inst& in = code[current.pc];
    // Behind a recursive call, an inner activation may join a branch of its own. Its call only ends with its
    // return.
    if (in.is_join && current.node >= 0 && DivergenceOf(warp, current.node).reconverge == current.pc &&
        !DivergenceOf(warp, current.node).call) {
      Split joined = current;
      if (!Join(warp, joined)) {
        Spend(warp, given - left, budget);
        warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot));
        return true;
      }
      current = joined;
      continue;
    }
    if (left == 0) {
      warp.splits[slot] = current;
      return EndTurn(warp, slot, given, spins, budget);
    }
    --left;
    spins += in.communicates;
    const Mask mask = GuardedLanes(warp, in, current.mask);
    if constexpr (kCount) {
      if (in.control != Control::kWarpSync) Count(counts[in.index], mask);
    }
    if (in.control == Control::kNone) {
      if (mask) in.handler(warp, in, mask);
      ++current.pc;
    } else if (mask == 0) {
      ++current.pc;
    } else if (in.control == Control::kBranch && mask == current.mask) {
      current.pc = in.target;
    } else {
      Split moved = current;
      const Next next = RunControl<kCount>(warp, moved, slot, in, mask, given - left, budget);
      if (next != Next::kGoOn) return next == Next::kEndTurn;
      current = moved;
    }
  }
}

template <bool kCount>
[[gnu::noinline]] BlockRun::Next BlockRun::RunControl(WarpContext& warp, Split& current, std::size_t slot,
                                                      const Inst& in, Mask mask, u64 since, u64& budget) {
  auto leave = [&] {
    warp.splits[slot] = current;
    Spend(warp, since, budget);
  };
  switch (in.control) {
    case Control::kNone: break;  // RunLoop executes these itself.
    case Control::kBranch:
      if constexpr (kCount) ++counts_[in.index].divergences;
      Diverge(warp, current, slot, in, mask);
      return Next::kGoOn;
    case Control::kBranchTable:
      if (BranchByTable(warp, current, slot, in, mask)) return Next::kGoOn;
      leave();
      return Next::kStopGrid;
    case Control::kClock: ReadClockAt(warp, in, mask, since); break;
    case Control::kTryWait:
      in.handler(warp, in, mask);
      if (!(mask & ~PredicateOf(warp, in.op[0]))) break;
      ++current.pc;
      leave();
      has_spun_ = true;
      Yield(warp, slot);
      return Next::kEndTurn;
    case Control::kExit:
      warp.splits[slot] = current;
      Exit(warp, slot, mask);
      current.mask &= ~mask;
      if (current.mask) break;
      Spend(warp, since, budget);
      return Next::kEndTurn;
    case Control::kTrap:
      leave();
      block_.faults->Trap(warp, in, mask, say::trapped());
      stopped_by_ = Outcome::kTrapped;
      return Next::kStopGrid;
    case Control::kCall: leave(); return Call(warp, slot, in, mask) ? Next::kEndTurn : Next::kStopGrid;
    case Control::kReturn:
      leave();
      Return(warp, slot, mask);
      return Next::kEndTurn;
    case Control::kBarrier:
      leave();
      ArriveAtBarrier(warp, slot, in, mask);
      return Next::kEndTurn;
    case Control::kWarpSync:
      leave();
      ArriveAtWarpSync<kCount>(warp, slot, in, mask);
      return Next::kEndTurn;
  }
  ++current.pc;
  return Next::kGoOn;
}

/// Ends the turn of the split at `slot`, which has used up its instructions.
inline bool BlockRun::EndTurn(WarpContext& warp, std::size_t slot, u64 given, u64 spins, u64& budget) {
  Spend(warp, given, budget);
  if (grid_.IsInterrupted()) {
    block_.faults->Interrupted(block_);
    stopped_by_ = Outcome::kOutOfBudget;
    return false;
  }
  if (budget == 0) {
    block_.faults->EndlessLoop(warp, warp.splits[slot]);
    stopped_by_ = Outcome::kOutOfBudget;
    return false;
  }
  spun_ = spins * kSpinningPart > given;
  has_spun_ = has_spun_ || spun_;
  if (spun_ && (!grid_.BlocksOftenWait() || spinning_rounds_ >= kRoundsUntilTorn)) ReleaseWaitingLanes(warp);
  Yield(warp, slot);
  return true;
}

/// Charges the watchdog for the instructions that a split has executed.
inline void BlockRun::Spend(WarpContext& warp, u64 instructions, u64& budget) {
  budget -= instructions;
  block_.clock += instructions;
  warp.instructions += instructions;
  longest_warp_ = std::max(longest_warp_, warp.instructions);
}

inline void BlockRun::ReadClockAt(WarpContext& warp, const Inst& in, Mask mask, u64 since) {
  block_.clock += since;
  in.handler(warp, in, mask);
  block_.clock -= since;
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
