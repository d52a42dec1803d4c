// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/function_frame.h"

#include <algorithm>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/decode/program_builder.h"
#include "grader/virtual_gpu/machine/layout.h"
#include "grader/virtual_gpu/machine/local_layout.h"

namespace warplings::vgpu {
namespace {

/// Checks that the sums in LayOutRegisters and LayOutLocalVariables fit into 32 bits.
Status CheckFrameSizes(const ptx::Function& function) {
  std::uint64_t frame_bytes = 1024, local = 0;  // 1024: CC.CF, a sink, rounding.
  for (const ptx::Register& reg : function.registers)
    frame_bytes += std::uint64_t{LaneBytes(reg.type)} * kWarpSize;
  const auto add = [&](const ptx::Variable& variable) {
    if (variable.space == ptx::Space::kLocal) {
      local = RoundUp64(local, variable.alignment) + variable.Bytes();
      frame_bytes += 8 * kWarpSize;
    } else if (variable.space == ptx::Space::kParam) {
      frame_bytes += 64 + RoundUp64(std::max<std::uint64_t>(variable.Bytes(), 1), 16) * kWarpSize;
    }
    return CheckSize(function.name, say::of_registers_and_parameters, frame_bytes, kMaxFrameBytes);
  };
  for (const auto* variables : {&function.parameters, &function.returns, &function.variables}) {
    for (const ptx::Variable& variable : *variables) {
      if (auto fits = add(variable); !fits) return fits;
    }
  }
  if (auto fits = add(ptx::Variable()); !fits) return fits;
  return CheckSize(function.name, say::of_local_memory, local, kMaxLocalBytes);
}

void LayOutRegisters(const ptx::Function& function, FunctionCode& code, FunctionFrame& frame) {
  // Predicates first, four bytes each; then lanes, aligned for SIMD; then parameters of calls.
  std::uint32_t next = 0;
  frame.registers.resize(function.registers.size());
  for (std::size_t i = 0; i < frame.registers.size(); ++i) {
    if (function.registers[i].type != ptx::Type::kPred) continue;
    frame.registers[i] = MakeOperand(Bank::kRegisters, next);
    next += sizeof(Mask);
  }
  frame.carry = MakeOperand(Bank::kRegisters, next);
  next = RoundUp(next + sizeof(Mask), 64);
  for (std::size_t i = 0; i < frame.registers.size(); ++i) {
    if (function.registers[i].type == ptx::Type::kPred) continue;
    frame.registers[i] = MakeOperand(Bank::kRegisters, next);
    next += LaneBytes(function.registers[i].type) * kWarpSize;
  }
  frame.scratch = MakeOperand(Bank::kRegisters, next);  // what "_" destinations write
  next += 16 * kWarpSize;
  auto add_slot = [&](const ptx::Variable& variable) {
    const auto bytes = std::max<std::uint32_t>(static_cast<std::uint32_t>(variable.Bytes()), 1);
    next = RoundUp(next, 64);
    frame.slots[variable.name] = {next, RoundUp(bytes, 16)};
    next += RoundUp(bytes, 16) * kWarpSize;
    return frame.slots[variable.name];
  };
  if (!function.is_entry) {
    for (const ptx::Variable& parameter : function.parameters) {
      code.parameters.push_back(add_slot(parameter));
    }
    for (const ptx::Variable& result : function.returns) code.results.push_back(add_slot(result));
  }
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space == ptx::Space::kParam) add_slot(variable);
  }
  code.frame_bytes = RoundUp(next, 64);
}

/// Each local variable's address is kept in a hidden register, since it depends on the call.
void LayOutLocalVariables(const ptx::Function& function, FunctionCode& code, FunctionFrame& frame) {
  LocalLayout layout = LayOutLocals(function);
  for (const auto& [name, offset] : layout.variables) {
    const OperandRef hidden = MakeOperand(Bank::kRegisters, code.frame_bytes);
    code.frame_bytes += 8 * kWarpSize;
    code.local_addresses.emplace_back(hidden, offset);
    frame.local_addresses[name] = hidden;
  }
  code.local_bytes = layout.bytes;
  code.locals = std::move(layout.objects);
  frame.moved = std::move(layout.moved);
}

}  // namespace

Result<FunctionFrame> LayOutFunction(const ptx::Function& function, FunctionCode& code) {
  if (auto fits = CheckFrameSizes(function); !fits) return fits.error();
  FunctionFrame frame;
  LayOutRegisters(function, code, frame);
  LayOutLocalVariables(function, code, frame);
  return frame;
}

}  // namespace warplings::vgpu
