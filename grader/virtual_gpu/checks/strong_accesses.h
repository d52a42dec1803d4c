// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which accesses programs communicate with.
#pragma once

#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// An access that programs communicate with: volatile, atomic, or with an order of its own.
inline bool IsStrong(const WarpAccess& access) {
  return access.inst->communicates;
}

/// Whether an access and an earlier strong write (instruction, if known, warp and lane) may meet without a
/// race. Strong accesses do not race with each other: what spins on a flag is in order. But a reduction whose
/// lanes exchange values through volatile memory, in one instruction, counts on the lanes being in step.
inline bool AreStrong(const WarpAccess& access, int lane, const Inst* earlier, u32 warp, int writer) {
  if (!IsStrong(access)) return false;
  const bool exchange = access.inst->is_volatile && earlier && earlier->is_volatile &&
                        warp == access.warp->index && ((access.mask >> writer) & 1) &&
                        access.address[writer] != access.address[lane];
  return !exchange;
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
