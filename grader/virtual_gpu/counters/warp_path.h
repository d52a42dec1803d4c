// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/virtual_gpu/isa/engine.h"

namespace warplings::vgpu {

/// The critical path of a straight-line stretch of code, for a warp that is alone on its SM: the longest
/// chain of dependent instructions.
struct PathSteps {
  double cycles = 0;  ///< Of arithmetic.
  double shared = 0;  ///< Waits for shared or local memory, …
  double global = 0;  ///< … for global memory, …
  double barriers = 0;

  PathSteps& operator+=(const PathSteps& other) {
    cycles += other.cycles;
    shared += other.shared;
    global += other.global;
    barriers += other.barriers;
    return *this;
  }
};

/// Returns, for each instruction of the program, the path of the stretch that begins with it, and zeros if
/// none does. So the sum over all instructions, each times its number of executions, is the path of all
/// warps.
///
/// A stretch ends at a branch, at a branch target and at a barrier; all its results are assumed to be needed
/// there. Within it, instructions may be reordered as their operands allow, as ptxas does. But a load is not
/// moved before a store to the same state space, unless both use the same address register or the load is
/// ld.global.nc.
std::vector<PathSteps> FindPaths(const Engine& engine, const Program& program);

}  // namespace warplings::vgpu
