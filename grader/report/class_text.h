// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "grader/core/class_grades.h"

namespace warplings {

/// One graded text for the class report, as JSON: its source, what the compiler and the virtual GPU reported
/// about its lines, its tests and the advice. In the program's language and safe to print.
nlohmann::json ClassTextData(const GradedText& text);

}  // namespace warplings
