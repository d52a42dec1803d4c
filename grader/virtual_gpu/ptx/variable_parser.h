// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/virtual_gpu/ptx/budget.h"
#include "grader/virtual_gpu/ptx/module.h"
#include "grader/virtual_gpu/ptx/scanner.h"

namespace warplings::ptx {

/// Reads a declaration from behind its state space to its ';':
/// `.align 4 .b8 x[4] = {1, 2, 3, 4}, y[2];`. Names are as in the text.
std::vector<Variable> ParseVariables(Scanner& scanner, Space space, bool is_extern, Budget& budget);

/// Reads `(.param .b32 a, .reg .b64 b, …)`, the parenthesis included; "_" stays as a name. `registers`
/// says whether .reg may stand here (device functions and prototypes, not kernels).
std::vector<Variable> ParseParameters(Scanner& scanner, bool allow_registers, Budget& budget);

/// The type that a directive names; fails for those that no variable or register here can have.
Type TakeType(Scanner& scanner);

}  // namespace warplings::ptx
