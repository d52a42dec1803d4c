// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/launch_record.h"
#include "grader/virtual_gpu/counters/footprint.h"
#include "grader/virtual_gpu/counters/warp_path.h"
#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// The work of a grid. The counts in `outcome` are those of all blocks; the footprint is that of one in
/// `scale` blocks.
LaunchWork WorkOf(const GridRequest& request, const GridOutcome& outcome, const std::vector<PathSteps>& paths,
                  const Footprint& footprint, double scale);

/// Scales the counts of a sample of the blocks up to all blocks.
void ScaleCounts(std::vector<InstCounts>& counts, double scale);

}  // namespace warplings::vgpu
