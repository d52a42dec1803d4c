// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/build/idioms.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// Conditions that compile and mean something else: `0 <= row < width`, `if (index = width)`, and `x ==
/// width` where a condition around it, or a return before it, lets only x < width come. Assignments in
/// parentheses of their own, of a function's result, of a comparison and of the variable's own value are
/// meant.
std::vector<Slip> FindConditionSlips(const std::vector<CodeToken>& tokens);

}  // namespace warplings
