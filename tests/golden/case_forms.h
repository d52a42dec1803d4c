// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// For tests: expands a form of the instruction table to opcodes.
namespace warplings::vgpu {

/// All opcodes of a form; of modifiers that do not affect the value (scopes, cache hints) only the first.
std::vector<std::string> ExpandForm(std::string_view form);

/// Returns {"ld", ".global", ".u32"} for "ld.global.u32".
std::vector<std::string_view> WordsOf(std::string_view opcode);
bool HasWord(std::string_view opcode, std::string_view word);

/// False for opcodes that a form generates but the manual does not have.
bool IsLegal(std::string_view opcode);

/// The lowest architecture that supports an opcode, if that matters here ("Target ISA Notes").
int MinimumSm(std::string_view opcode);

}  // namespace warplings::vgpu
