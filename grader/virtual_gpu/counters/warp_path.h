// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

/// How long a warp that has a multiprocessor to itself needs for a stretch of straight code: the longest
/// chain of instructions of which each needs the one before.
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

/// For each instruction of the program: the path of the stretch that begins with it; of the others nothing.
/// So the sum over all instructions, each times its executions, is the path of all warps.
///
/// A stretch ends at a branch, where one leads to, and at a barrier, and all its results are waited for
/// there. Within it instructions are taken in the order that their operands allow, as ptxas arranges them;
/// a load passes no store to the same memory, unless both use the same register for their address, or it is
/// ld.global.nc.
std::vector<PathSteps> FindPaths(const Engine& engine, const Program& program);

}  // namespace warplings::vgpu
