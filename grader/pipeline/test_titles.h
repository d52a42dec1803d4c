// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

/// A student knows a test by its title, wherever it is named: a test without one gets its name in words
/// ("price is paid once"), and what gave a misconception away names tests by their titles.
void GiveTitles(ExerciseResult& result);

}  // namespace warplings
