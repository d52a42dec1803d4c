// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

/// Adds to a result with tests what only the submission's text shows; changes no verdict:
///  - warnings about variables without a value and quotients that are rounded too early;
///  - a slip (grader/build/idioms.h) as the first advice if tests failed, otherwise as a warning;
///  - the subscripts of an element of a shared array, in place of its number: `Nds[1][0]`;
///  - why threads missed a barrier: a condition, or an early return;
///  - which condition did not keep a thread from an access out of bounds, or that there is none;
///  - the loop with whose other passes a race is.
void AddSourceNotes(ExerciseResult& result);

}  // namespace warplings
