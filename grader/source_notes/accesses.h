// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "grader/base/message.h"
#include "grader/core/exercise_result.h"

namespace warplings {

// Why an access outside an array was not kept away, and where it is.

/// Why a condition in the source did not keep a thread from that access in that line; empty if the source
/// does not show it.
Message WhyNotKeptAway(std::string_view source, int line, const Message& access, const Message& known,
                       bool is_first_thread);

/// "Out of bounds in line 33: …"; a cause that begins with "the condition in line 33" names it only once. The
/// second one has an example.
Message OutsideBecause(int line, const Message& why);
Message OutsideBecause(int line, const Message& why, const say::Thread& thread, const say::Thread& block,
                       const Message& access);

/// An access outside an array that the compiler moved to an earlier line: the line that it is of, and, in the
/// step, that it was moved.
void NameMovedAccesses(ExerciseResult& result);

void ExplainAccesses(ExerciseResult& result);

/// Which condition or loop may let a thread load outside a shared array, where the stores stay inside.
void NameSharedLoads(ExerciseResult& result);

/// Sums in a wrong order, where a thread gets its row and column from a division.
void NameRowDivisions(ExerciseResult& result);

/// Where elements are not stored, or hold another one's sum: the division that gives a wrong row, or a
/// remainder by another divisor.
void NameWrongDivisions(ExerciseResult& result);

/// Where sums are made with the row of another block: the load that takes its row from blockIdx.x.
void NameOtherBlockIndex(ExerciseResult& result);

/// Of a load of four floats that is misaligned: the side that the code asks for, where it is not that
/// array's.
void NameFoursOfAnotherSide(ExerciseResult& result);

/// Products past the last one, or with 0 for an element that exists, by a load whose condition checks another
/// sum than its index has: then that is what comes first.
void PreferUncheckedSum(ExerciseResult& result);

}  // namespace warplings
