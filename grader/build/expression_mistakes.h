// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// A mistake in an expression or in the head of a loop, in code that does not compile: a whole array that is
/// added to, assigned, or initialised with a number; an array that is called as a function; blockIdx.Y; a
/// comma where a for needs a semicolon. `words` are the compiler's first error, in that line.
std::optional<KnownMistake> FindExpressionMistake(const std::vector<CodeToken>& tokens, int line,
                                                  std::string_view words);

}  // namespace warplings
