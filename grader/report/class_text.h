// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "grader/core/class_grades.h"

namespace warplings {

/// One graded text for the class report: its source, what the compiler and the virtual GPU said of its lines,
/// its tests and the advice, in the program's language and fit to print.
nlohmann::json ClassTextData(const GradedText& text);

}  // namespace warplings
