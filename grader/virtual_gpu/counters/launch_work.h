// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/launch_record.h"
#include "grader/virtual_gpu/counters/footprint.h"
#include "grader/virtual_gpu/counters/warp_path.h"
#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

/// Of a grid whose counts in `outcome` are of all its blocks, and whose footprint is of every `scale`-th.
LaunchWork WorkOf(const GridRequest& request, const GridOutcome& outcome, const std::vector<PathSteps>& paths,
                  const Footprint& footprint, double scale);

/// Multiplies counts of a sample of the blocks, so that they stand for all.
void ScaleCounts(std::vector<InstCounts>& counts, double scale);

}  // namespace warplings::vgpu
