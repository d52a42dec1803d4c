// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "grader/base/result.h"
#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

/// Addresses of a module's .global and .const variables, by name.
using SymbolTable = std::map<std::string, std::uint64_t, std::less<>>;

/// Makes a kernel ready to run. An instruction that the table does not have, or operands that do not
/// fit it, are an error that names the instruction, its PTX line and the student's line; that line is also
/// left in `refused_at`.
Result<std::unique_ptr<Program>> Decode(const Engine& engine, const ptx::Module& module,
                                        const ptx::Function& function, const SymbolTable& symbols,
                                        SourceLine& refused_at);

}  // namespace warplings::vgpu
