// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/build/idioms.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// `if (...);` before a statement, and loops whose body is cut off in the same way. Passes over what people
/// write on purpose: a loop that waits or whose header does the work, and `if (f());`, which calls f. The
/// semicolon is what is too much where a block follows, or a statement that is indented deeper; else the body
/// is missing.
std::optional<Slip> FindEmptyBody(const std::vector<CodeToken>& tokens, std::string_view code);

}  // namespace warplings
