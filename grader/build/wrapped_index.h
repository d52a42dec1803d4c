// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "grader/core/finding.h"

namespace warplings {

/// Of an unsigned index that went below 0: adds to the finding's message what the source shows of it,
/// "`blockIdx.x - 1`, where `blockIdx.x` is 0", and the array's name where the message has it as code. Only
/// where one index in the finding's line is a name minus a number.
void ExplainWrappedIndex(Finding& finding, std::string_view source);

}  // namespace warplings
