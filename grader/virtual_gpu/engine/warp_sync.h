// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: lanes that wait for the other lanes in their member mask (….sync instructions).
#pragma once

#include "grader/virtual_gpu/engine/block_run.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

template <bool kCount>
bool BlockRun::ArriveAtWarpSync(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
  if (grid_.observation.checks) {
    const u32* members = warp.Lanes<const u32>(in.members);
    const Mask unnamed = mask & ~BitOfEach([&](int i) { return (members[i] >> i) & 1; });
    if (unnamed) [[unlikely]]
      block_.faults->MaskWithoutLane(warp, in, unnamed);
  }
  SplitOff(warp, slot, mask);
  warp.splits[slot].state = Split::State::kAtWarpSync;
  ReleaseWarpSync<kCount>(warp, in, warp.splits[slot].pc);
  return true;
}

inline void BlockRun::CheckWarpSyncsAfterExit(WarpContext& warp) {
  std::byte* const frame = warp.base[0];
  for (std::size_t i = 0; i < warp.splits.size(); ++i) {
    const Split split = warp.splits[i];
    if (split.state != Split::State::kAtWarpSync) continue;
    warp.base[0] = split.frame;
    ReleaseWarpSync<true>(warp, grid_.program->code[static_cast<std::size_t>(split.pc)], split.pc);
  }
  warp.base[0] = frame;
}

template <bool kCount>
void BlockRun::ReleaseWarpSync(WarpContext& warp, const Inst& in, std::int32_t pc) {
  Mask arrived = 0;
  for (const Split& split : warp.splits) {
    if (split.state == Split::State::kAtWarpSync && split.pc == pc) arrived |= split.mask;
  }
  const Mask* members = warp.Lanes<const Mask>(in.members);
  Mask executed = 0;
  for (Mask left = arrived; left;) {
    const Mask wanted = members[__builtin_ctz(left)];
    const Mask group = left & BitOfEach([&](int i) { return members[i] == wanted; });
    left &= ~group;
    if (wanted & warp.live & ~arrived) continue;
    in.handler(warp, in, group);
    executed |= group;
    for (Observer* observer : block_.observers) observer->OnWarpSync(warp, group & wanted);
  }
  if (!executed) return;
  if constexpr (kCount) Count(counts_[in.index], executed);
  for (std::size_t i = 0, count = warp.splits.size(); i < count; ++i) {
    Split& split = warp.splits[i];
    if (split.state != Split::State::kAtWarpSync || split.pc != pc || !(split.mask & executed)) continue;
    Split rest = split;
    rest.mask &= ~executed;
    split.mask &= executed;
    split.state = Split::State::kRunnable;
    ++split.pc;
    if (rest.mask) warp.splits.push_back(rest);
  }
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
