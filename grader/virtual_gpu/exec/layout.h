// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "grader/virtual_gpu/exec/program.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

constexpr std::uint32_t RoundUp(std::uint32_t value, std::uint32_t unit) {
  return unit ? (value + unit - 1) / unit * unit : value;
}

/// Offsets by PTX name.
using Offsets = std::map<std::string, std::uint64_t, std::less<>>;

/// Whether the function's code names this variable or function.
bool IsReferenced(const ptx::Function& function, const std::string& name);

/// Gives every shared array that the kernel or a function of the module uses its place, with gaps between
/// them; fills Program::shared, shared_bytes and static_shared_bytes. Returns where each begins.
Offsets LayOutShared(const ptx::Module& module, const ptx::Function& kernel, Program& program);

/// The argument block of the kernel, by the ABI: each parameter at the next multiple of its alignment.
Offsets LayOutParameters(const ptx::Function& kernel, Program& program);

}  // namespace warplings::vgpu
