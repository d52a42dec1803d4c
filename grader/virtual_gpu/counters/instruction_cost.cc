// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/instruction_cost.h"

#include <algorithm>
#include <iterator>

namespace warplings::vgpu {
namespace {

/// The cost of opcodes that begin with `start` and contain `part`. The first matching row applies.
struct CostRow {
  std::string_view start, part;
  InstructionCost cost;
};

// Slots are those of the code that nvcc 13 makes of such an instruction for compute capability 9.0, as
// nvdisasm shows it; of divisions and roots the usual path. Cycles: an arithmetic instruction's result can be
// used after 4 (Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
// table 4.1, and the like for later ones).
constexpr CostRow kCosts[] = {
    {"cvta", "", {.slots = 0, .cycles = 0}},
    {"mov", "", {.cycles = 0}},
    {"wmma", "", {.is_matrix = true}},
    {"mma", "", {.is_matrix = true}},
    {"div", ".f64", {.slots = 12, .fp64_slots = 10, .special_slots = 1, .cycles = 100}},
    {"sqrt", ".f64", {.slots = 12, .fp64_slots = 10, .special_slots = 1, .cycles = 100}},
    {"rcp", ".f64", {.slots = 8, .fp64_slots = 6, .special_slots = 1, .cycles = 70}},
    {"cvt", ".f64", {.slots = 1, .fp64_slots = 1, .cycles = 12}},
    {"div.full", ".f32", {.slots = 4, .special_slots = 1, .cycles = 30}},
    {"div.approx", ".f32", {.slots = 4, .special_slots = 1, .cycles = 30}},
    {"div", ".f32", {.slots = 10, .special_slots = 1, .cycles = 50}},
    {"rcp.approx", "", {.slots = 2, .special_slots = 1, .cycles = 20}},
    {"rcp", ".f32", {.slots = 6, .special_slots = 1, .cycles = 40}},
    {"sqrt.approx", "", {.slots = 2, .special_slots = 1, .cycles = 20}},
    {"sqrt", ".f32", {.slots = 8, .special_slots = 1, .cycles = 40}},
    {"rsqrt", "", {.slots = 2, .special_slots = 1, .cycles = 20}},
    {"sin", "", {.slots = 2, .special_slots = 1, .cycles = 24}},
    {"cos", "", {.slots = 2, .special_slots = 1, .cycles = 24}},
    {"ex2", "", {.slots = 2, .special_slots = 1, .cycles = 24}},
    {"lg2", "", {.slots = 2, .special_slots = 1, .cycles = 24}},
    {"tanh", "", {.slots = 1, .special_slots = 1, .cycles = 20}},
    {"div", "64", {.slots = 70, .special_slots = 2, .cycles = 250}},
    {"rem", "64", {.slots = 70, .special_slots = 2, .cycles = 250}},
    {"div", "", {.slots = 20, .special_slots = 3, .cycles = 90}},
    {"rem", "", {.slots = 20, .special_slots = 3, .cycles = 90}},
    {"mul.lo", "64", {.slots = 3, .cycles = 10}},
    {"mad.lo", "64", {.slots = 3, .cycles = 10}},
    {"popc", "", {.special_slots = 1, .cycles = 12}},
    {"clz", "", {.special_slots = 1, .cycles = 12}},
    {"bfind", "", {.special_slots = 1, .cycles = 12}},
    {"brev", "", {.special_slots = 1, .cycles = 12}},
    // Between integers and floats: at the quarter of the rate of others.
    {"cvt.r", "", {.special_slots = 1, .cycles = 12}},
    {"shfl", "", {.shuffles = 1, .cycles = 24}},
    {"vote", "", {.cycles = 12}},
    {"match", "", {.slots = 4, .cycles = 30}},
    {"redux", "", {.shuffles = 1, .cycles = 24}},
    {"bar", "", {.cycles = 4}},
    {"call", "", {.slots = 10, .cycles = 40}},
};

/// Multiplications and shifts to the left are left out: they go to the units of fp32 as well, and what adds
/// up addresses mostly becomes part of them.
constexpr std::string_view kIntegerOpcodes[] = {"add", "sub",  "min",  "max",  "abs", "neg", "and", "or",
                                                "xor", "not",  "lop3", "shr",  "shf", "bfe", "bfi", "prmt",
                                                "sad", "setp", "selp", "slct", "set", "dp4a"};

bool IsInteger(std::string_view opcode) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  const bool is_integer = std::ranges::find(kIntegerOpcodes, name) != std::end(kIntegerOpcodes);
  const bool is_comparison = name == "setp" || name == "selp" || name == "set" || name == "slct";
  if (is_comparison) return is_integer;
  for (std::string_view other : {".f32", ".f64", ".f16", ".bf16", "64"}) {
    if (opcode.find(other) != std::string_view::npos) return false;
  }
  return is_integer;
}

}  // namespace

InstructionCost CostOf(std::string_view opcode) {
  for (const CostRow& row : kCosts) {
    if (opcode.starts_with(row.start) && opcode.find(row.part) != std::string_view::npos) return row.cost;
  }
  const bool is_double = opcode.ends_with(".f64") && !opcode.starts_with("ld") && !opcode.starts_with("st") &&
                         !opcode.starts_with("atom") && !opcode.starts_with("red");
  if (is_double) return {.fp64_slots = 1, .cycles = 8};
  return {.integer_slots = IsInteger(opcode) ? 1.0 : 0.0};
}

}  // namespace warplings::vgpu
