// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/virtual_gpu/ptx/module.h"
#include "grader/virtual_gpu/ptx/scanner.h"
#include "grader/virtual_gpu/ptx/variable_parser.h"

namespace warplings::ptx {

/// Parses the initialiser after a variable's '=': a value or (nested) braces of values, each an integer, a
/// floating-point constant, a symbol's address (`x+4`, `generic(x)+4`), or one byte of such an address
/// (`0xFF00(x)`; eight of them in a row make one relocation). Sets `initial`, `relocations` and, for an array
/// whose first extent is not given (0), `count`.
void ParseInitialiser(Scanner& scanner, Variable& variable, const std::vector<std::uint64_t>& extents,
                      Budget& budget);

}  // namespace warplings::ptx
