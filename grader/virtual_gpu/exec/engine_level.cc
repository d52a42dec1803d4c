// SPDX-License-Identifier: Apache-2.0
// The interpreter for one x86-64 level; compiled once for each, see meson.build.
#include "grader/virtual_gpu/exec/grid.h"
#include "grader/virtual_gpu/exec/instruction_table.h"

namespace warplings::vgpu {

extern const Engine WARPLINGS_ENGINE;
const Engine WARPLINGS_ENGINE = {WARPLINGS_LEVEL_NAME, WARPLINGS_LEVEL::kRows, WARPLINGS_LEVEL::kChapters,
                                 WARPLINGS_LEVEL::RunGrid};

}  // namespace warplings::vgpu
