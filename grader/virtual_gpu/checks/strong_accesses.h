// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which accesses are strong, i.e. used for communication between threads.
#pragma once

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// True for a strong access: volatile, atomic, or with an explicit memory order.
inline bool IsStrong(const WarpAccess& access) {
  return access.inst->communicates;
}

/// True if an access does not race with an earlier strong write (by instruction, if known, warp and lane).
/// Strong accesses do not race with each other: spinning on a flag is allowed. But two kinds of volatile
/// accesses of one warp rely on its lanes running in lockstep:
///
///   - a reduction whose lanes exchange values in one instruction;
///   - a read of what a lane has stored that does not execute the read, as between two ifs. In a kernel that
///     has a loop which waits for such a value, that may be what the loop has waited for.
inline bool AreStrong(const WarpAccess& access, int lane, const Inst* earlier, u32 warp, int writer) {
  if (!IsStrong(access)) return false;
  if (!access.inst->is_volatile || !earlier || !earlier->is_volatile || warp != access.warp->index)
    return true;
  if ((access.mask >> writer) & 1) return access.address[writer] == access.address[lane];
  return access.access != Access::kRead || access.warp->block->grid->program->waits_for_values;
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
