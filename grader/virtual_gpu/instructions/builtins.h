// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// Executes a function of the device runtime (printf, malloc, …) for one lane. Arguments and result are in
/// the lane's slots. Returns false if the kernel must stop (a failed assertion, which has been reported).
bool CallBuiltin(WarpContext& warp, const Inst& inst, int lane, Builtin builtin, const CallSite& call,
                 std::byte* frame);

}  // namespace warplings::vgpu
