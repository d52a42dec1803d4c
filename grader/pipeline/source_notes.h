// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

/// Adds to a result with tests what only the submission's text shows; changes no verdict:
///  - warnings about variables without a value and quotients that are rounded too early;
///  - a slip (grader/build/idioms.h) as the first advice if tests failed, otherwise as a warning;
///  - as such a slip: blocks of one row where the kernel uses threadIdx.y, and an array without __shared__
///    (grader/build/thread_indices.h);
///  - the subscripts of an element of a shared array, in place of its number: `Nds[1][0]`;
///  - the line that reads two tiles at the same index of the thread, where values tell of a wrong row or
///  column;
///  - why threads missed a barrier: a condition, or an early return.
void AddSourceNotes(ExerciseResult& result);

}  // namespace warplings
