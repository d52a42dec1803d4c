// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/launch_record.h"
#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// The record of a grid that has run, with its counts by source line and in total. The caller fills in
/// registers and occupancy.
LaunchRecord SummariseLaunch(const GridRequest& request, const GridOutcome& outcome);

/// The counts of every instruction of the program, executed or not; empty if counters are off.
std::vector<InstructionCounts> CountByInstruction(const Program& program, const GridOutcome& outcome);

/// A rough estimate of a grid's time on a card, in seconds: a fixed launch overhead plus the larger of the
/// times to issue its instructions and to move its sectors. For event timers; never reported as measured.
double EstimateSeconds(const DeviceProfile& profile, const LaunchRecord& launch);

}  // namespace warplings::vgpu
