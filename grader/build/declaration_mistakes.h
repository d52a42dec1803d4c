// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// What is wrong with a declaration in this line: the name is declared already, a shared variable is given a
/// value, a function is defined inside another one. `words` are the compiler's first error, in that line.
std::optional<KnownMistake> FindDeclarationMistake(const std::vector<CodeToken>& tokens, int line,
                                                   std::string_view words);

}  // namespace warplings
