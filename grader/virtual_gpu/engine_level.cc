// SPDX-License-Identifier: Apache-2.0
// The interpreter for one x86-64 level; compiled once for each, see meson.build. Here the engine gets its
// instructions and its observers.
#include "grader/virtual_gpu/engine/grid_run.h"
#include "grader/virtual_gpu/instructions/instruction_table.h"
#include "grader/virtual_gpu/isa/engine.h"
#include "grader/virtual_gpu/observers.h"

namespace warplings::vgpu {
namespace WARPLINGS_LEVEL {

inline GridOutcome RunObservedGrid(const GridRequest& request) {
  return RunGrid(request, {MakeObservers, MakeFaults});
}

}  // namespace WARPLINGS_LEVEL

extern const Engine WARPLINGS_ENGINE;
const Engine WARPLINGS_ENGINE = {WARPLINGS_LEVEL_NAME, WARPLINGS_LEVEL::kRows, WARPLINGS_LEVEL::kChapters,
                                 WARPLINGS_LEVEL::RunObservedGrid};

}  // namespace warplings::vgpu
