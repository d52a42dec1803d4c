// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/virtual_gpu/exec/program.h"

namespace warplings::vgpu {

/// The targets of each brx.idx, which names its own by Inst::imm.
using BranchTables = std::vector<std::vector<std::int32_t>>;

/// Sets Inst::reconverge of every branch to the immediate post-dominator of its ways, and Inst::is_join
/// where that is. Positions, in `tables` as well, are those in `code`.
///
/// Lanes that return early never come back, so that ways out of the function do not count where others
/// go on: in `if (a) { if (b) return; x; } y;` lanes meet again at y.
void FindReconvergence(std::vector<Inst>& code, const BranchTables& tables);

}  // namespace warplings::vgpu
