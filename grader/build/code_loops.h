// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

/// A loop in code that is not compiled, also one in a lambda, which StatementsOf() takes for a part of its
/// statement.
struct CodeLoop {
  std::size_t begin = 0, body = 0, end = 0;  ///< Tokens: its `for`, its body; one past its last.
  std::string variable;                      ///< "k" of `for (int k = 0; …`; empty if no header begins so.

  bool Has(std::size_t token) const { return begin <= token && token < end; }
};

/// Each behind those around it.
std::vector<CodeLoop> LoopsOf(const std::vector<CodeToken>& tokens);

}  // namespace warplings
