// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

/// What is shown of a result whose misconceptions are ranked and whose next step is chosen: which of the two
/// comes first, the failing test and the finding that it is about, and what follows.
Advice AdviceToShow(const ExerciseResult& result);

}  // namespace warplings
