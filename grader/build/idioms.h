// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// Finds calls such as ceil(width / TILE_WIDTH), where an integer division has already rounded down before
/// ceil sees the quotient; no compiler warns about it. Returns a warning for each line with such a call. A
/// call is skipped if anything in it is visibly float or double: a cast, a literal, a variable declared as
/// one.
std::vector<Diagnostic> FindRoundedQuotients(std::string_view source, const std::string& display_name);

}  // namespace warplings
