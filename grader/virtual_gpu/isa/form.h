// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu {

/// If `opcode` matches `form` (notation: InstructionRow), returns the bits (mods::…) of its modifiers;
/// otherwise nothing.
std::optional<std::uint32_t> MatchForm(std::string_view form, std::string_view opcode);

}  // namespace warplings::vgpu
