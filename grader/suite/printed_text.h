// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/core/test_result.h"

namespace warplings {

/// Appends one more call's output to a test's printed text, up to PrintedText's limits and in whole lines,
/// unless a single line is longer than the limit. The rest is only counted. Does nothing if `text` is empty.
void AddPrinted(std::string_view text, std::optional<PrintedText>& printed);

}  // namespace warplings
