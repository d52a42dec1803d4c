// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// Why the compiler refuses a store in this line: = where a comparison was meant, or what is stored to is
/// const. `words` are the compiler's first error, in that line.
std::optional<KnownMistake> FindStoreMistake(const std::vector<CodeToken>& tokens, int line,
                                             std::string_view words);

}  // namespace warplings
