// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "grader/base/result.h"
#include "grader/virtual_gpu/isa/engine.h"

namespace warplings::vgpu {

/// Addresses of a module's .global and .const variables, by name.
using SymbolTable = std::map<std::string, std::uint64_t, std::less<>>;

/// Decodes a kernel, with all functions that it calls, into a Program that can run. An instruction that is
/// not in the table, or whose operands do not match its row, is an error that names the instruction, its PTX
/// line and the student's line; the latter is also stored in `refused_at`. Without `may_launch`, a kernel
/// that launches kernels is refused.
Result<std::unique_ptr<Program>> Decode(const Engine& engine, const ptx::Module& module,
                                        const ptx::Function& function, const SymbolTable& symbols,
                                        SourceLine& refused_at, bool may_launch = false);

}  // namespace warplings::vgpu
