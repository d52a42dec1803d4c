// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// For tests: which opcodes a form of the instruction table spells.
namespace warplings::vgpu {

/// Every opcode that a form spells; of words that choose nothing (scopes, cache hints) only the first.
std::vector<std::string> ExpandForm(std::string_view form);

/// "ld.global.u32" is {"ld", ".global", ".u32"}.
std::vector<std::string_view> WordsOf(std::string_view opcode);
bool HasWord(std::string_view opcode, std::string_view word);

/// False for opcodes that a form spells and the manual does not know.
bool IsLegal(std::string_view opcode);

/// The first architecture that has an opcode, as far as it matters here ("Target ISA Notes").
int MinimumSm(std::string_view opcode);

}  // namespace warplings::vgpu
