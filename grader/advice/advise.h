// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "grader/core/exercise_result.h"
#include "grader/workbook/exercise.h"

namespace warplings {

// Decides what a report says first. A suite states facts and runs tests; which misconception a fact tells of,
// which of several mistakes comes first, what its evidence says, and which finding is shown beside it is
// decided here and nowhere else. Two exceptions (grader/source_notes/slips.h): a slip of the pen that the
// source shows beyond doubt comes before all of it, and for wrong values without a known cause, a variable
// that is read before it has a value.
//
//     facts ─ told_by ─▶ misconceptions ─▶ the tests that each explains ─▶ their order ─▶ Advice
//     tests ─ reasons, next steps ────────────────────┴──────────────────────┘
//
// 1. Match (causes.h). A misconception is named if a fact is stated that chapter.toml lists as `told_by` for
//    it. The first such fact is its evidence. A fact that no misconception lists stays unnamed.
// 2. Attribute (causes.h). Each misconception gets the failing tests that it explains: those that the suite
//    listed with the fact, or those that fail in the same way as the test which the fact names, or else the
//    tests with wrong values that no other misconception explains. "In the same way" means that they share a
//    symptom (symptoms.h): a kind of finding, wrong values, a call that did not finish, an exceeded limit.
//    A fact whose tests, listed or named, all passed explains tests of exceeded limits, and no wrong value.
// 3. Rank (ranking.h). The misconception that explains the most failing tests comes first, but those that are
//    about exceeded limits alone come last. Of two that explain equally many, the one comes first whose
//    symptom is earlier in this chain, in which each can cause the next; then the suite's order of facts
//    decides:
//
//        crash, illegal access > race, barrier > wrong values > exceeded limit
//
//    If no misconception is named, or none explains more than half of the failing tests, or all are about
//    exceeded limits and a test fails in another way, the next step of an unexplained test comes first
//    instead: of those with a symptom in common the earliest in the chain, or one with the finding that most
//    of them have. The step of a test whose host code read device memory before the kernel that stored the
//    output comes before any misconception that does not tell of this, if most tests fail so. So does the
//    step of a test in which a copy or a memset was refused; misconceptions that tell of unset memory or of
//    wrong values in such tests only follow from it and are left out. If all failing tests show that threads
//    are missing at a barrier or a shuffle, the step that says so comes before misconceptions that do not,
//    where the first of these explains fewer tests.
// 4. Show (shown.h). Beside the advice stands the finding that it is about; if it is about something else,
//    none does.

/// Fills in `misconceptions`, `next_step` and `advice` of a result with tests, and the `title` and
/// `next_step` of its tests. It reads the result's facts and tests, and `known`, the exercise's
/// misconceptions.
void Advise(std::span<const MisconceptionText> known, ExerciseResult& result);

/// Fills in `advice` of a result that an older version stored without it, according to the misconceptions and
/// the next step that it did store. Leaves any other result as it is.
void AdviseStored(ExerciseResult& result);

}  // namespace warplings
