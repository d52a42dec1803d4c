// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/launch_record.h"
#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

/// The record of a grid that has run: its counts, summed by source line and over all. Registers and
/// occupancy are the caller's to fill in.
LaunchRecord SummariseLaunch(const GridRequest& request, const GridOutcome& outcome);

/// The counts of each of the program's instructions, executed or not; empty where counters are off.
std::vector<InstructionCounts> CountByInstruction(const Program& program, const GridOutcome& outcome);

/// A rough time for a grid on a card, in seconds: the slower of issuing its instructions and moving its
/// sectors, and a launch's fixed cost. An estimate for event timers, never called measured.
double EstimateSeconds(const DeviceProfile& profile, const LaunchRecord& launch);

}  // namespace warplings::vgpu
