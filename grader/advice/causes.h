// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "grader/advice/symptoms.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Names the misconceptions that the result's facts tell of, in the order of the facts. Of several facts
/// about one misconception the first is the evidence; all of their tests count.
void MatchFacts(std::span<const MisconceptionText> known, ExerciseResult& result);

/// Fills in `tests` of each misconception, given the result's failures: the failing tests that the suite
/// listed for it. If all that it listed, or that its evidence names, passed, the misconception is about a
/// limit of every call: it gets the tests that fail because one of those calls exceeds a limit, or else all
/// that do no more than exceed one, or none. If the suite listed no test, it gets those that share a symptom
/// with the failing tests named in its evidence. If its evidence names no failing test, it gets the failing
/// tests with wrong values that are not attributed to another misconception, and the name of one of them is
/// put in front of its evidence; of an explanation of wrong sums, only those in which a kernel ran. Call
/// before GiveTitles.
void FindTestsOfCauses(const Failures& failures, ExerciseResult& result);

}  // namespace warplings
