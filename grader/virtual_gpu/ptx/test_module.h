// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "grader/virtual_gpu/ptx/parser.h"

/// Short ways for tests to write PTX and to look at what became of it.
namespace warplings::ptx {

inline constexpr std::string_view kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";  // Three lines.

/// A module with `text` behind the three lines that each must have.
inline Result<Module> ParseText(std::string_view text) {
  return ParseModule(std::string(kHead) + std::string(text));
}

/// A kernel k(p: u64, n: u32) whose body, from line 6 on, is `body`.
inline Result<Module> ParseBody(std::string_view body) {
  return ParseText(".visible .entry k(.param .u64 p, .param .u32 n)\n{\n" + std::string(body) + "\n}\n");
}

inline Module MustParse(const Result<Module>& module) {
  EXPECT_TRUE(module.ok()) << module.error().message;
  return module.ok() ? *module : Module();
}

inline Function MustParseBody(std::string_view body) {
  const Module module = MustParse(ParseBody(body));
  return module.functions.empty() ? Function() : module.functions.front();
}

inline const Variable* FindVariable(const std::vector<Variable>& variables, std::string_view name) {
  for (const Variable& variable : variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

/// The message of a text that must be refused.
inline std::string ErrorOf(const Result<Module>& module) {
  EXPECT_FALSE(module.ok());
  if (module.ok()) return "";
  EXPECT_EQ(module.error().blame, Blame::kSubmission);
  return module.error().message;
}

}  // namespace warplings::ptx
