// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/virtual_gpu/machine/program.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

/// The layout of one activation's frame (of FunctionCode::frame_bytes bytes): registers, parameters of calls,
/// and addresses of local variables.
struct FunctionFrame {
  std::vector<OperandRef> registers;  ///< By index in ptx::Function::registers.
  OperandRef scratch = kNoOperand;    ///< Where results for "_" are written.
  OperandRef carry = kNoOperand;      ///< CC.CF.
  std::map<std::string, FrameSlot, std::less<>> slots;
  std::map<std::string, OperandRef, std::less<>> local_addresses;
  std::map<std::size_t, std::int64_t> moved;  ///< See LocalLayout.
};

/// Lays out a function's frame and local memory, and records both in `code`; an error if they are larger than
/// any card allows.
Result<FunctionFrame> LayOutFunction(const ptx::Function& function, FunctionCode& code);

}  // namespace warplings::vgpu
