// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

// Slips that the source shows, as the first advice.

/// Warnings of the toolkit's headers for atomic functions: the line of the file that calls them, where the
/// text shows it, or else the header's name without its folders.
void NameAtomicWarnings(ExerciseResult& result);

/// nvcc's own words about that line ("expression has no effect") go: what follows from the slip is no second
/// mistake, and nor is what the tests saw.
void AddSlip(ExerciseResult& result);

/// Wrong values for which no cause is known, in a source with a variable that is read before it has a value:
/// no question about an element leads there.
void AdviseUnsetVariable(ExerciseResult& result);

/// Wrong answers for which no cause is known, of a function that computes a variable and returns another one.
void AdviseUnreadVariable(ExerciseResult& result);

/// Wrong values for which no cause is known, in a source that passes two arguments in each other's place.
void AdviseExchangedArguments(ExerciseResult& result);

/// Wrong values that are whole although the right ones are not, for which no cause is known, in a source that
/// stores floats in variables of whole numbers.
void AdviseWholeVariable(ExerciseResult& result);

}  // namespace warplings
