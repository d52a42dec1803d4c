// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// A value of a type that does not fit, in this line: an argument (`&d`, `d[0]` or a std::vector for a
/// pointer, const elements for those that may be stored), what a variable is set to (a cudaError_t, the void*
/// of malloc, a whole array for an element), an operand, or the value of a return. `words` are the compiler's
/// first error, in that line.
std::optional<KnownMistake> FindTypeMistake(const std::vector<CodeToken>& tokens, int line,
                                            std::string_view words);

}  // namespace warplings
