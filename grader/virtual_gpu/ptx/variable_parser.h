// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/virtual_gpu/ptx/budget.h"
#include "grader/virtual_gpu/ptx/module.h"
#include "grader/virtual_gpu/ptx/scanner.h"

namespace warplings::ptx {

/// Parses a declaration, from after its state space to its ';': `.align 4 .b8 x[4] = {1, 2, 3, 4}, y[2];`.
/// Names are left as they are.
std::vector<Variable> ParseVariables(Scanner& scanner, Space space, bool is_extern, Budget& budget);

/// Reads `(.param .b32 a, .reg .b64 b, …)`, including the parentheses; "_" is kept as a name.
/// `allow_registers`: whether .reg is permitted (in device functions and prototypes, not in kernels).
std::vector<Variable> ParseParameters(Scanner& scanner, bool allow_registers, Budget& budget);

/// Parses a type directive; fails for types that no variable or register can have here.
Type TakeType(Scanner& scanner);

}  // namespace warplings::ptx
