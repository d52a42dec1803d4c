// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/virtual_gpu/exec/program.h"

namespace warplings::vgpu {

/// Sets Inst::reconverge of every branch to the immediate post-dominator of its two ways, and
/// Inst::is_join where that is.
///
/// Lanes that return early never come back, so that ways out of the function do not count where others
/// go on: in `if (a) { if (b) return; x; } y;` lanes meet again at y.
void FindReconvergence(std::vector<Inst>& code);

}  // namespace warplings::vgpu
