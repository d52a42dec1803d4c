// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings::vgpu {

/// What an instruction of PTX costs once ptxas has translated it. A guess from its opcode, the same for all
/// cards: what it becomes depends on its neighbours too.
struct InstructionCost {
  double slots = 1;          ///< Instructions of the card that a scheduler issues for it.
  double fp64_slots = 0;     ///< Of them, those for the double-precision units …
  double special_slots = 0;  ///< … those for the special function units, …
  double integer_slots = 0;  ///< … those for integers of 32 bits, logic and comparisons, …
  double shuffles = 0;  ///< … and those that pass values between lanes, by way of shared memory's banks.
  double cycles = 4;    ///< Until what depends on it can be issued; of memory: without the memory.
  bool is_matrix = false;
};

InstructionCost CostOf(std::string_view opcode);

}  // namespace warplings::vgpu
