// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// A wrong use of an array or an index, in code that does not compile: two subscripts of an array with one
/// dimension; a subscript of a number; threadIdx or its like without .x; more shared memory than a kernel may
/// declare. `words` are the compiler's first error, in that line.
std::optional<KnownMistake> FindArrayMistake(const std::vector<CodeToken>& tokens, int line,
                                             std::string_view words);

}  // namespace warplings
