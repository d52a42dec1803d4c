// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

// The first sentence of a misconception: what the source shows of it.

/// A misconception about an access outside an array: the check that is missing there is the first sentence.
void BeginWithMissingCheck(ExerciseResult& result);

/// A race in a line in which all threads add to one element of shared memory.
void NameSharedTotals(ExerciseResult& result);

/// A wrong row length: the line in which accesses leave their array because of it, if it is one alone.
void ShowWrongRowLength(ExerciseResult& result);

/// P without its zeros for k = 0: the condition that compares its column with k.
void NameOtherSideGuard(ExerciseResult& result);

/// A call that depends on those before it: which variable carries that, if the source has few.
void NameKeptVariables(ExerciseResult& result);

/// Wrong only where an element is INT_MAX, where the source stores this number past an array's elements.
void NameMarks(ExerciseResult& result);

/// Values that are wrong only from some size on, where the source has variables of a small type.
void NameNarrowVariables(ExerciseResult& result);

}  // namespace warplings
