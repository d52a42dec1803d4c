// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// What is wrong with the `<<<...>>>` of a launch, in code that does not compile: `<<` or `>>` in its place,
/// no argument list behind it, an argument list in front of it, a dim3 where the bytes stand. `words` are the
/// compiler's first error, in that line. Nothing if the launch there is in order.
std::optional<KnownMistake> FindLaunchMistake(const std::vector<CodeToken>& tokens, int line,
                                              std::string_view words);

}  // namespace warplings
