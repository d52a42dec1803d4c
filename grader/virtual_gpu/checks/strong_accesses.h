// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which accesses are strong, i.e. used for communication between threads.
#pragma once

#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// True for a strong access: volatile, atomic, or with an explicit memory order.
inline bool IsStrong(const WarpAccess& access) {
  return access.inst->communicates;
}

/// True if an access does not race with an earlier strong write (by instruction, if known, warp and lane).
/// Strong accesses do not race with each other: spinning on a flag is allowed. But a reduction whose lanes
/// exchange values through volatile memory, in one instruction, relies on the lanes running in lockstep.
inline bool AreStrong(const WarpAccess& access, int lane, const Inst* earlier, u32 warp, int writer) {
  if (!IsStrong(access)) return false;
  const bool exchange = access.inst->is_volatile && earlier && earlier->is_volatile &&
                        warp == access.warp->index && ((access.mask >> writer) & 1) &&
                        access.address[writer] != access.address[lane];
  return !exchange;
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
