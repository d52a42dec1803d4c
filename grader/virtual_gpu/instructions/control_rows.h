// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Control Flow" and "Miscellaneous Instructions" of
// the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/instructions/warp_ops.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline constexpr InstructionRow kControlRows[] = {
    {"bra[.uni]", "label", Nothing, Control::kBranch},
    {"brx.idx[.uni]", "src.b32 labels", Nothing, Control::kBranchTable},
    {"ret[.uni]", "", Nothing, Control::kReturn},
    {"call[.uni]", "call", Nothing, Control::kCall},
    {"exit", "", Nothing, Control::kExit},
};

inline constexpr InstructionRow kOtherRows[] = {
    {"trap", "", Nothing, Control::kTrap},
    {"brkpt", "", Nothing},
    {"nanosleep.u32", "src.b32", Nothing},
    {"pmevent[.mask]", "constant", Nothing},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
