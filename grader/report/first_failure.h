// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

// Words for what the result's Advice holds; nothing is decided here.

/// True if the first advice is the first misconception and not the result's own next step.
bool NameComesFirst(const ExerciseResult& result);

/// The failing test that the first advice is about. Null if none failed.
const TestResult* FirstFailure(const ExerciseResult& result);

/// The verdict in words. Where the first advice is about tests with another one, theirs comes first: "wrong
/// result; in other tests: launch failed".
Message VerdictOfAdvice(const ExerciseResult& result);

/// The test's reason, to be shown below the advice. A reason that is a finding is the test's first one; if
/// the finding beside the advice is another one of this test, that is the reason to show: a reader would take
/// any other for what is meant. Empty where the reason is a finding of another mistake, which LaterCauses
/// names.
Message ReasonBelowAdvice(const TestResult& test, const ExerciseResult& result);

/// "Seen in 9 of 14 tests, such as EVIDENCE", or "Seen in: EVIDENCE"; empty if the misconception has no
/// evidence. "9 tests fail in this way. In one of them: EVIDENCE" if the suite stated the fact of
/// one.
Message SeenIn(const Misconception& misconception, const ExerciseResult& result);

/// What a report says first: the misconception's title, or the fact that told of it (see fact_first), in the
/// reader's language.
std::string FirstWordsOf(const Misconception& misconception);

/// The misconception's message, the words of chapter.toml in one line.
Message JoinedMessage(const Misconception& misconception);

/// What to do, below these words: the misconception's message, and the example to work out by hand, if the
/// fact that comes first has one. May be empty.
Message StepOf(const Misconception& misconception);

/// The question that the first advice takes as its example, as among the test's wrong answers; empty if it
/// has none.
Message ExampleOfAdvice(const ExerciseResult& result);

/// "Seen in 9 of 14 tests: EVIDENCE", without the title of the test, which is listed below, and without what
/// LaterCauses says.
Message SeenInBriefly(const Misconception& misconception, const ExerciseResult& result);

/// "After that: TITLE (2 tests)" for each mistake that is surely another one than the first advice's: further
/// ones of its name, the misconceptions that follow, or, where there is none of these, a launch that other
/// tests refuse.
std::vector<Message> LaterCauses(const ExerciseResult& result);

}  // namespace warplings
