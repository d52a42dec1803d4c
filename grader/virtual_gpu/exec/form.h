// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/exec/context.h"

namespace warplings::vgpu {

/// Whether `opcode` is one that `form` spells (notation: InstructionRow); if so, the modifier bits
/// (mods::…) of the words it chose.
std::optional<std::uint32_t> MatchForm(std::string_view form, std::string_view opcode);

/// One operand of a row: "?s.b32" is {optional, 's', "b32"}, "P2.b16" is {'P', count 2, "b16"}.
struct OperandRole {
  char role = 0;
  bool optional = false;
  int count = 1;
  ptx::Type type = ptx::Type::kNone;
};
std::vector<OperandRole> ParseOperands(std::string_view operands);

}  // namespace warplings::vgpu
