// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// Why the compiler does not know a name in this line, or takes it for something else: a function of a
/// library has the name of a variable that is not declared; the variable is declared within braces or a loop
/// that end before the line, or in another function; the function is defined below; the header is not
/// included. `words` are the compiler's first error, in that line.
std::optional<KnownMistake> FindNameMistake(const std::vector<CodeToken>& tokens, int line,
                                            std::string_view words);

/// The same of a name that is declared nowhere, and that is no other one misspelled.
std::optional<KnownMistake> FindUndeclaredName(const std::vector<CodeToken>& tokens, int line,
                                               std::string_view words);

}  // namespace warplings
