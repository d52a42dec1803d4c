// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// Whether the first misconception is what to do first, and not the result's own next step.
bool NameComesFirst(const ExerciseResult& result);

/// The failing test that the first advice is about: the one whose next step it is, or the first one that the
/// misconception explains; the first failing one where nobody knows. Null where none failed.
const TestResult* FirstFailure(const ExerciseResult& result);

/// "Seen in: ..." for the first misconception; empty where there is nothing to say.
std::string SeenIn(const Misconception& misconception);

/// "After that: TITLE (2 tests)" for each misconception that is not the first advice.
std::vector<std::string> LaterCauses(const ExerciseResult& result);

}  // namespace warplings
