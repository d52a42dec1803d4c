// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

// Decides which of several mistakes a report mentions first: the cause that explains the most failing tests.
// A failing test has symptoms: a kind of finding, wrong values, a call that did not finish, a limit that is
// exceeded. One symptom can cause the next in this order:
//
//     crash, illegal access > race, barrier > wrong values > exceeded limit
//
// Wrong values in a test with a race are ignored, because the race causes them.

/// Fills in `tests` of each misconception: the failing tests that the suite listed for it, or those that
/// share a symptom with the failing tests named in its evidence. If its evidence names no failing test, it
/// gets the failing tests with wrong values that are not attributed to another misconception, and the name of
/// one of them is put in front of its evidence. Call before GiveTitles.
void FindTestsOfCauses(ExerciseResult& result);

/// Sorts the misconceptions: the one that explains the most failing tests first; ties are broken by the chain
/// above, then by the suite's order. If no misconception was recognised, or none explains more than half of
/// the failing tests, sets `next_step` to that of an unexplained test: from the largest group of tests that
/// share symptoms, the test that is earliest in the chain. Exceeded limits are ignored there, because what a
/// kernel costs follows from how it is written, which one misconception covers.
void PutFirstAdviceFirst(ExerciseResult& result);

}  // namespace warplings
