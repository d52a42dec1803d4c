// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/device/device.h"
#include "grader/virtual_gpu/exec/program.h"

namespace warplings::vgpu {

/// Refuses a launch that the card would refuse, with the number that the runtime returns and words that
/// name the limit. `max_dynamic_shared` is what cudaFuncSetAttribute has raised the limit to; 0: nothing.
CudaStatus CheckLaunch(const DeviceProfile& profile, const Program& program, std::uint32_t registers,
                       std::uint32_t max_dynamic_shared, const LaunchRequest& request);

}  // namespace warplings::vgpu
