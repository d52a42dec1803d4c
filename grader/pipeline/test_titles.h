// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

/// Makes titles the names by which a student knows tests: a test without a title gets one made of its name
/// ("price is paid once"), and the evidence of misconceptions refers to tests by title.
void GiveTitles(ExerciseResult& result);

}  // namespace warplings
