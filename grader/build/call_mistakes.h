// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// A call or launch in this line with too few or too many arguments, of a function of the file or one of
/// CUDA's that everybody calls: how many it takes, and which. `words` are the compiler's first error, in that
/// line.
std::optional<KnownMistake> FindCallMistake(const std::vector<CodeToken>& tokens, int line,
                                            std::string_view words);

}  // namespace warplings
