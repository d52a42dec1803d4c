// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grader/virtual_gpu/decode/control_flow.h"
#include "grader/virtual_gpu/isa/instruction_row.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

bool IsDestination(Role role);

/// Which registers each instruction of a function sets and reads, by index in ptx::Function::registers. A
/// guard is neither.
struct RegisterFlow {
  std::vector<std::vector<std::int32_t>> defines, sources;  ///< By instruction.
};
/// `code` has at least one element for each instruction of `function`, with its row.
RegisterFlow FindRegisterFlow(const ptx::Function& function, std::span<const InstructionRow> rows,
                              const std::vector<Inst>& code);

/// Whether some instruction uses what a strong access has given.
bool UsesStrongValues(const ptx::Function& function, const RegisterFlow& flow, const std::vector<Inst>& code);

/// Whether a loop of the function may end, or go on, by what a strong access has read: its value, or one that
/// is computed from it, is the guard of a jump in the loop. Values that a device function returns, or that go
/// through local memory, are not followed; a device function with a strong access counts as one that waits.
bool WaitsForValues(const ptx::Function& function, const RegisterFlow& flow, const std::vector<Inst>& code,
                    const BranchTables& tables);

/// The most 32-bit registers that values of the function take at a time (predicates have registers of their
/// own). A value lives from the first to the last instruction that names it, in the order of the code, and to
/// the end of a loop into which it is brought.
std::uint32_t CountLiveRegisters(const ptx::Function& function, const RegisterFlow& flow,
                                 const std::vector<Inst>& code);

}  // namespace warplings::vgpu
