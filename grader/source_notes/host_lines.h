// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

// What the text of host code tells about calls, launches and crashes.

/// Of a test whose call was refused: which call it is, and why, where the source shows both.
void ExplainRefusedCalls(ExerciseResult& result);

/// Host code has no line numbers, but its text may show which line a refusal or a crash is about.
void NameHostLines(ExerciseResult& result);

/// A copy that writes the output in a kernel's place: its line, and whether the kernel gets the array
/// already.
void NameOutputCopies(ExerciseResult& result);

void NameHostDivisions(ExerciseResult& result);

/// Work that is pending when the function returns, in a stream that nothing else waits for.
void NameNonBlockingStreams(ExerciseResult& result);

/// Of a launch that was refused because of its registers: no line sets their number, but the source may show
/// what is wrong with the loop that takes them.
void NameChosenRegisters(ExerciseResult& result);

/// Of a kernel that the static version of an exercise launches without an array of a fixed size: whether the
/// other version launches one that has it.
void NameExchangedKernels(ExerciseResult& result);

}  // namespace warplings
