// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/exercise_result.h"

namespace warplings {

/// One line for each thing that has a place in the source, as compilers write them and editors read them:
/// "FILE:LINE:COLUMN: error: MESSAGE". First what the compiler said, then what the virtual GPU saw; a test
/// that failed without either is at line 1, where the advice stands. Empty where there is nothing to complain
/// of.
std::string GccReport(const ExerciseResult& result);

}  // namespace warplings
