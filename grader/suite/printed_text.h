// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/core/test_result.h"

namespace warplings {

/// Adds what one more call printed to what a test has printed: as much as PrintedText keeps, in whole lines
/// where one line is not longer than that; the rest is counted. Nothing becomes of an empty `text`.
void AddPrinted(std::string_view text, std::optional<PrintedText>& printed);

}  // namespace warplings
