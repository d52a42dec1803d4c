// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/parser.h"
#include "grader/virtual_gpu/ptx/scanner.h"

namespace warplings::ptx {

/// Counts what the whole module has declared so far and enforces the limits in parser.h, because a hostile
/// text can demand far more memory than it has bytes.
struct Budget {
  std::size_t registers = 0;
  std::size_t instructions = 0;
  std::size_t operands = 0;
  std::size_t names = 0;
  std::size_t functions = 0;
  std::size_t locations = 0;
  std::size_t initial_bytes = 0;

  void TakeRegister(Scanner& scanner) { Take(scanner, registers, kMaxRegisters, "registers"); }
  void TakeInstruction(Scanner& scanner) { Take(scanner, instructions, kMaxInstructions, "instructions"); }
  void TakeOperand(Scanner& scanner) { Take(scanner, operands, kMaxOperands, "operands"); }
  void TakeName(Scanner& scanner) { Take(scanner, names, kMaxNames, "names"); }
  void TakeFunction(Scanner& scanner) { Take(scanner, functions, kMaxFunctions, "functions"); }
  void TakeLocation(Scanner& scanner) { Take(scanner, locations, kMaxLocations, "source lines"); }

 private:
  static void Take(Scanner& scanner, std::size_t& used, std::size_t limit, const char* what) {
    if (++used > limit) scanner.Fail(say::module_has_too_many(what));
  }
};

}  // namespace warplings::ptx
