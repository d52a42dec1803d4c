// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "grader/virtual_gpu/decode/program_builder.h"
#include "grader/virtual_gpu/decode/register_flow.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

/// From which arrays the addresses of a function's instructions are computed, by instruction: sets of bits,
/// numbers of Program::address_bases, to which new ones are added. A pointer that a function gets from its
/// caller, or loads from memory, is of none.
std::vector<std::uint64_t> FindAddressBases(ProgramBuilder& builder, const ptx::Function& function,
                                            const RegisterFlow& flow);

}  // namespace warplings::vgpu
