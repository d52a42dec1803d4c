// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

/// TokensOf(`code`) with what stands for calls of macros that have an element: with
/// `#define AT(r, c) x[r * w + c]`, "x[i + 1 * w + j]" for "AT(i + 1, j)", all of it in the call's line. Only
/// macros that are defined once, in one line.
std::vector<CodeToken> TokensWithElements(std::string_view code);

}  // namespace warplings
