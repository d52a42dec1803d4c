// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// Two decimals, as Canvas and Moodle show, without exponent and without zeros that say nothing.
std::string LmsNumber(double points);

/// Reads a number of points as an LMS or a spreadsheet writes it: "12.5", "12,50", "1,234.5", "1.234,5". No
/// number for an empty field, for "-" and for Canvas's "(read only)". A usage error for anything else, and
/// for "1,000", which is one or a thousand. `where` begins the error's message: "line 3, column 'Grade'".
Result<std::optional<double>> ReadLmsNumber(const std::string& text, const std::string& where);

}  // namespace warplings
