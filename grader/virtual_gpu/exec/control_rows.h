// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Control Flow" and "Miscellaneous Instructions" of
// the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/exec/warp_ops.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline constexpr InstructionRow kControlRows[] = {
    {"bra[.uni]", "t", Nothing, Control::kBranch},
    {"brx.idx[.uni]", "s.b32 l", Nothing, Control::kBranchTable},
    {"ret[.uni]", "", Nothing, Control::kExit},
    {"call[.uni]", "c", Nothing, Control::kCall},
    {"exit", "", Nothing, Control::kExit},
};

inline constexpr InstructionRow kOtherRows[] = {
    {"trap", "", Nothing, Control::kTrap},
    {"brkpt", "", Nothing},
    {"nanosleep.u32", "s.b32", Nothing},
    {"pmevent[.mask]", "i", Nothing},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
