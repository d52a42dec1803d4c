// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/virtual_gpu/machine/program.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

/// The layout of a function's local variables in its frame. nvcc merges them all into one variable,
/// "__local_depot"; the PTX shows only where each begins: "add.u64 %rd2, %SPL, 16". They are moved apart,
/// with gaps between them, so that an overflow does not hit the next one unnoticed.
struct LocalLayout {
  std::map<std::string, std::uint32_t, std::less<>> variables;  ///< Offset of each .local variable.
  std::vector<LocalObject> objects;                             ///< Sorted by offset.
  std::uint32_t bytes = 0;                                      ///< Size of the frame, a multiple of 16.
  /// For instructions, by position: the new constant offset.
  std::map<std::size_t, std::int64_t> moved;
};

LocalLayout LayOutLocals(const ptx::Function& function);

/// The instruction with its constant offset (of "add" or of its address) replaced.
ptx::Instruction WithOffset(ptx::Instruction instruction, std::int64_t offset);

}  // namespace warplings::vgpu
