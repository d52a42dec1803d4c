// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

/// What a kernel asks of the runtime system, for one lane. Arguments and result lie in the lane's slots.
/// False: the kernel stops (a failed assertion, which is reported).
bool CallBuiltin(WarpContext& warp, const Inst& inst, int lane, Builtin builtin, const CallSite& call,
                 std::byte* frame);

}  // namespace warplings::vgpu
