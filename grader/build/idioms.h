// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// What to do about a message of the compiler whose own words help a beginner little, such as that on calling
/// a host function from a kernel; empty for any other message.
std::string AdviceOnMessage(std::string_view message);

/// Calls such as ceil(width / TILE_WIDTH) in `source`: where both sides of the division are whole numbers it
/// has rounded down before ceil sees the quotient. A warning for each line with one; none where something in
/// the call shows a float or double: a cast, a literal, a variable declared so. No compiler warns of it.
std::vector<Diagnostic> FindRoundedQuotients(std::string_view source, const std::string& display_name);

}  // namespace warplings
