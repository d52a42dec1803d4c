// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/virtual_gpu/exec/program.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

/// Where the local variables of a function lie in its frame. nvcc puts them all into one, "__local_depot";
/// what the PTX still shows of them is where each begins: "add.u64 %rd2, %SPL, 16". They are drawn apart, so
/// that who leaves one does not land in the next unseen.
struct LocalLayout {
  std::map<std::string, std::uint32_t, std::less<>> variables;  ///< Offset of each .local variable.
  std::vector<LocalObject> objects;                             ///< By offset.
  std::uint32_t bytes = 0;                                      ///< Of the frame, a multiple of 16.
  /// By position of the instruction: what its constant offset becomes.
  std::map<std::size_t, std::int64_t> moved;
};

LocalLayout LayOutLocals(const ptx::Function& function);

/// The instruction with its constant offset (of "add" or of its address) replaced.
ptx::Instruction WithOffset(ptx::Instruction instruction, std::int64_t offset);

}  // namespace warplings::vgpu
