// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "grader/build/idioms.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// A loop that counts past the end of an array of a thread's own: `float sum[N];` and
/// `for (int c = 0; c <= N; ++c)` around `sum[c]`. The compiler may drop the round that does not exist, so
/// that values are right by luck.
///
/// Only where the text shows the array's size and the loop's bound, both as numbers or both in the same
/// words. Nothing in doubt: where a condition, or a jump, may keep the last round from the access.
std::optional<Slip> FindLoopPastArray(const std::vector<CodeToken>& tokens, const std::string& code);

}  // namespace warplings
