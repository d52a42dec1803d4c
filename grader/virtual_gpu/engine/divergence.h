// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: lanes of a warp that diverge, reconverge, exit or yield.
#pragma once

#include <algorithm>
#include <utility>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/engine/block_run.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline void BlockRun::Diverge(WarpContext& warp, Split& current, std::size_t slot, const Inst& in,
                              Mask taken) {
  // A loop whose lanes leave one after the other diverges at one branch many times: one Divergence
  // holds them all.
  const bool same = current.node >= 0 && !DivergenceOf(warp, current.node).call &&
                    DivergenceOf(warp, current.node).reconverge == in.reconverge;
  if (in.reconverge >= 0 && !same) {
    current.node = AddDivergence(warp, {in.reconverge, current.mask, 0, current.node, current.frame,
                                        current.local_top, nullptr, nullptr});
  }
  Split other = current;
  other.pc = in.target;
  other.mask = taken;
  current.mask &= ~taken;
  ++current.pc;
  warp.splits[slot] = current;
  warp.splits.push_back(other);
}

inline bool BlockRun::BranchByTable(WarpContext& warp, Split& current, std::size_t slot, const Inst& in,
                                    Mask mask) {
  const auto& table = grid_.program->branch_tables[static_cast<std::size_t>(in.imm)];
  const u32* index = warp.Lanes<const u32>(in.op[1]);
  const u32 first = index[__builtin_ctz(mask)];
  if (first >= table.size()) {
    block_.faults->Trap(warp, in, mask, say::branch_outside_table());
    stopped_by_ = Outcome::kTrapped;
    return false;
  }
  const Mask taken = mask & BitOfEach([&](int i) { return index[i] == first; });
  Inst branch = in;
  branch.target = table[first];
  if (taken == current.mask) {
    current.pc = branch.target;
  } else {
    ++counts_[in.index].divergences;
    Diverge(warp, current, slot, branch, taken);
    if (mask != taken) --current.pc;
  }
  return true;
}

inline std::int32_t BlockRun::AddDivergence(WarpContext& warp, const Divergence& divergence) {
  for (std::size_t i = 0; i < warp.divergences.size(); ++i) {
    if (warp.divergences[i].mask == 0) {
      warp.divergences[i] = divergence;
      return static_cast<std::int32_t>(i);
    }
  }
  warp.divergences.push_back(divergence);
  return static_cast<std::int32_t>(warp.divergences.size() - 1);
}

inline bool BlockRun::Join(WarpContext& warp, Split& current) {
  Divergence& divergence = warp.divergences[static_cast<std::size_t>(current.node)];
  divergence.arrived |= current.mask;
  if (divergence.arrived != divergence.mask) return false;
  current.mask = divergence.mask;
  current.node = divergence.parent;
  divergence.mask = 0;
  return true;
}

inline void BlockRun::Exit(WarpContext& warp, std::size_t slot, Mask gone) {
  warp.live &= ~gone;
  block_.live_threads -= static_cast<u32>(__builtin_popcount(gone));
  warp.splits[slot].mask &= ~gone;
  const bool ended = warp.splits[slot].mask == 0;
  if (ended) warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot));
  for (Divergence& divergence : warp.divergences) {
    if (!(divergence.mask & gone)) continue;
    divergence.mask &= ~gone;
    divergence.arrived &= ~gone;
    if (divergence.mask && divergence.arrived == divergence.mask) Complete(warp, divergence);
    // A call from which no lane returns.
    if (!divergence.mask) CloseFrame(divergence);
  }
  CheckBarriersAfterExit(warp);
  CheckWarpSyncsAfterExit(warp);
}

inline void BlockRun::Complete(WarpContext& warp, Divergence& divergence) {
  warp.splits.push_back({divergence.reconverge, divergence.mask, divergence.parent, Split::State::kRunnable,
                         0, divergence.frame, divergence.local_top});
  divergence.mask = 0;
  CloseFrame(divergence);
}

inline void BlockRun::LeaveDivergence(WarpContext& warp, std::int32_t node, Mask lanes) {
  Divergence& divergence = DivergenceOf(warp, node);
  divergence.mask &= ~lanes;
  divergence.arrived &= ~lanes;
  if (divergence.mask && divergence.arrived == divergence.mask) Complete(warp, divergence);
}

inline void BlockRun::SplitOff(WarpContext& warp, std::size_t slot, Mask mask) {
  Split rest = warp.splits[slot];
  rest.mask &= ~mask;
  if (!rest.mask) return;
  const Inst& in = grid_.program->code[static_cast<std::size_t>(rest.pc)];
  Mask guarded = rest.mask;
  if (in.guard != kNoOperand) {
    const Mask p = *warp.Lanes<const Mask>(in.guard);
    guarded &= in.guard_negated ? ~p : p;
  }
  warp.splits[slot].mask = mask;
  // Lanes whose guard is false have passed the instruction; those with another target of an indirect call
  // have not.
  if (Split later = rest; (later.mask = guarded)) warp.splits.push_back(later);
  if (Split past = rest; (past.mask &= ~guarded)) {
    ++past.pc;
    warp.splits.push_back(past);
  }
}

inline void BlockRun::Yield(WarpContext& warp, std::size_t slot) {
  std::rotate(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot),
              warp.splits.begin() + static_cast<std::ptrdiff_t>(slot) + 1, warp.splits.end());
  has_yielded_ = true;
}

inline bool BlockRun::ReleaseStuck() {
  for (WarpContext& warp : block_.warps) {
    if (ReleaseFirstWaitingLanes(warp)) return true;
  }
  return false;
}

inline void BlockRun::ReleaseWaitingLanes(WarpContext& warp) {
  while (ReleaseFirstWaitingLanes(warp)) warp.is_torn = true;
}

inline bool BlockRun::ReleaseFirstWaitingLanes(WarpContext& warp) {
  for (Divergence& divergence : warp.divergences) {
    if (!divergence.mask || !divergence.arrived || divergence.call) continue;
    const Mask lanes = std::exchange(divergence.arrived, 0);
    divergence.mask &= ~lanes;
    // They leave this divergence and those around it, up to the call that they are in, if any.
    std::int32_t node = divergence.parent;
    for (; node >= 0 && !DivergenceOf(warp, node).call; node = DivergenceOf(warp, node).parent) {
      DivergenceOf(warp, node).mask &= ~lanes;
    }
    warp.splits.push_back({divergence.reconverge, lanes, node, Split::State::kRunnable, 0, divergence.frame,
                           divergence.local_top});
    return true;
  }
  return false;
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
