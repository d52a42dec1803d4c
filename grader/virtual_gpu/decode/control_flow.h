// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/virtual_gpu/machine/program.h"

namespace warplings::vgpu {

/// The targets of each brx.idx; its Inst::imm is the index of its table.
using BranchTables = std::vector<std::vector<std::int32_t>>;

/// Sets Inst::reconverge of every branch to its immediate post-dominator, and Inst::is_join there. Positions,
/// also in `tables`, are indices in `code`.
///
/// Paths that leave the function are ignored if other paths continue, because lanes that return do not
/// reconverge: in `if (a) { if (b) return; x; } y;` lanes reconverge at y.
void FindReconvergence(std::vector<Inst>& code, const BranchTables& tables);

}  // namespace warplings::vgpu
