// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/device/device.h"
#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// What resident blocks take comes out of the same memory as allocations: sets how many may be resident at
/// once, and on how many host threads, of `host_threads`, they run. Blocks of a cooperative launch have to be
/// resident together; of any other, fewer are where memory is short, but one has to fit. Refuses a launch for
/// which there is no memory.
CudaStatus LimitResidentBlocks(GridRequest& grid, unsigned host_threads);

}  // namespace warplings::vgpu
