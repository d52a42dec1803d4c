// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "grader/virtual_gpu/decode/control_flow.h"
#include "grader/virtual_gpu/decode/function_frame.h"
#include "grader/virtual_gpu/decode/register_flow.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu {

/// Finds out which of the threads that execute a load use what it loads, and writes that to Inst::used_when
/// or to Inst::unset_when.
///
/// `if (t == 0) sum += partial[0];` need not become a branch: where the compiler can prove that partial[0] is
/// readable, it lets every thread load it, and the value is used by thread 0 alone, because only thread 0
/// later stores the sum. (LLVM calls that speculation: isSafeToSpeculativelyExecute.) For the other threads
/// such a load does nothing. Held against them, it would be a race, or a use of memory that nobody has set,
/// which is not in the source. A load counts as one of these (used_when) if its address is that of a
/// variable, plus a constant: of other addresses the compiler seldom proves anything.
///
/// Of each other load from shared memory the same is asked for one check (unset_when): threads of a tile's
/// edge that read a place without an element, which nobody has set, and store nothing of what comes of it,
/// are right on every card.
///
/// The value is followed through registers to everything that can be seen: stores, addresses, branches,
/// barriers, calls, other lanes. What guards those uses has to be comparisons of what stays the same for a
/// thread as long as its kernel runs (thread and block indices, kernel parameters, constants, what one
/// instruction outside loops sets). Where that, or the budget of the search, does not suffice, all threads
/// count as users.
///
/// `code` has one element for each instruction of `function`, with its row, guard, branch target (a position
/// in `code`) and operands, and one more. Returns the conditions; what is written into `code` are indices
/// into them, plus `first`.
std::vector<UsedWhen> FindLoadUses(const ptx::Function& function, std::span<const InstructionRow> rows,
                                   const RegisterFlow& flow, const FunctionFrame& frame,
                                   const BranchTables& tables, std::size_t first, std::vector<Inst>& code);

}  // namespace warplings::vgpu
