// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "grader/virtual_gpu/ptx/parser.h"

/// Helpers for tests that parse PTX.
namespace warplings::ptx {

inline constexpr std::string_view kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";  // Three lines.

/// Parses `text` after the three lines with which every module must begin.
inline Result<Module> ParseText(std::string_view text) {
  return ParseModule(std::string(kHead) + std::string(text));
}

/// Parses a kernel k(p: u64, n: u32) with this body, which begins at line 6.
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

/// The error message; the test fails if the text was not refused.
inline std::string ErrorOf(const Result<Module>& module) {
  EXPECT_FALSE(module.ok());
  if (module.ok()) return "";
  EXPECT_EQ(module.error().blame, Blame::kSubmission);
  return English(module.error().message);
}

}  // namespace warplings::ptx
