// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

/// A statement of a function, as far as its control flow goes.
struct CodeStatement {
  enum class Kind {
    kBlock,
    kLoop,    ///< for, while, do: its header is a part of it.
    kBranch,  ///< if or switch; its condition is a statement of its own.
    kSimple,  ///< Anything else, up to its semicolon.
  };
  Kind kind = Kind::kSimple;
  std::size_t begin = 0, end = 0;  ///< Tokens; the end is one past the last.
  std::size_t parent = 0;          ///< Index of the statement around it; of a function's body: its own.
  bool is_condition = false;       ///< The condition of a branch.
};

/// The statements of all functions that are defined in the tokens, each behind the one around it.
std::vector<CodeStatement> StatementsOf(const std::vector<CodeToken>& tokens);

/// The innermost statement that has the token; nothing outside of all functions.
std::optional<std::size_t> StatementWith(const std::vector<CodeStatement>& statements, std::size_t token);

/// The statements around that one, from the innermost to its function's body.
std::vector<std::size_t> Around(const std::vector<CodeStatement>& statements, std::size_t statement);

/// Whether one of the words, such as `__global__`, is in front of the function with this body.
bool IsDeclaredWith(const std::vector<CodeToken>& tokens, std::size_t body,
                    std::initializer_list<std::string_view> words);

/// "phase" of `for (int phase = 0; …`, whose for is at `at`; empty of another loop.
std::string VariableOfLoop(const std::vector<CodeToken>& tokens, std::size_t at, std::size_t end);

}  // namespace warplings
