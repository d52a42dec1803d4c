// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings::vgpu {

/// The cost of a PTX instruction after ptxas has translated it. An estimate from its opcode alone, the same
/// for all cards; in reality it also depends on neighbouring instructions.
struct InstructionCost {
  double slots = 1;          ///< Machine instructions that a scheduler issues for it.
  double fp64_slots = 0;     ///< Of these, the ones for the FP64 units …
  double special_slots = 0;  ///< … those for the special function units, …
  double integer_slots = 0;  ///< … those for 32-bit integers, logic and comparisons, …
  double shuffles = 0;       ///< … and shuffles, which use the banks of shared memory.
  double cycles = 4;  ///< Latency until a dependent instruction can be issued, without the latency of memory.
  bool is_matrix = false;
};

InstructionCost CostOf(std::string_view opcode);

}  // namespace warplings::vgpu
