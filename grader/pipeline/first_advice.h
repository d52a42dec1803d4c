// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

// Which of several mistakes a report begins with: the cause that explains most failing tests. What a failing
// test shows are its symptoms: findings of a kind, wrong values, a call that broke off, a limit that is
// exceeded. Their order is the chain in which one follows from another:
//
//     crash, illegal access  >  race, barrier  >  wrong values  >  price
//
// Wrong values of a test with a race count for nothing, because they follow from it.

/// Fills `tests` of each misconception: the failing tests that its suite lists, or those that share a symptom
/// with the failing tests that its evidence names. One whose evidence names no failing test gets those with
/// wrong values that no other one has to itself. Its evidence then begins with a failing test's name. Comes
/// before GiveTitles.
void FindTestsOfCauses(ExerciseResult& result);

/// Puts first what explains most failing tests, and of equals what comes first in the chain, and then in the
/// suite's order. Where nothing was recognised, or where no misconception explains more than half of the
/// failing tests, `next_step` is that of an unexplained one: of the most that hang together by their
/// symptoms the one that is earliest in the chain. A limit that is exceeded does not count there: what a
/// kernel costs goes with how it is written, and one name stands for all of that.
void PutFirstAdviceFirst(ExerciseResult& result);

}  // namespace warplings
