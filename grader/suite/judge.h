// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/fact.h"
#include "grader/core/test_result.h"
#include "grader/core/verdict.h"
#include "grader/suite/grading.h"
#include "grader/suite/judge_session.h"
#include "grader/suite/random_values.h"
#include "grader/suite/timed_shape.h"

namespace warplings {

/// Called once after the last test: returns the facts that the tests together show.
using Observer = std::function<std::vector<Fact>()>;

/// Called once after the last test, before the Observer, unless all tests passed: explains what was
/// computed instead of the right values.
using Explainer = std::function<std::vector<Explained>()>;

/// Registers this suite program's Explainer. Use at namespace scope, like StateFactsWith.
bool ExplainWith(Explainer explainer);

/// Registers this suite program's Observer. Use at namespace scope of the suite's file:
///
///     const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });
bool StateFactsWith(Observer observer);

/// Registers the shapes on which submissions are timed, likewise:
///
///     const bool timed = TimeWith([](bool rehearsal) { return std::vector<TimedShape>{…}; });
bool TimeWith(TimedShapes shapes);

/// Registers what the suite grades, word for word as the contract header and chapters/grading.md say it.
/// `warplings verify` compares. At namespace scope, likewise:
///
///     const bool graded = GradedBy({.shared = KernelGrading(),
///                                   .header = {"P is right.", "A block has 256 threads."},
///                                   .page = {"No thread stores more than 64 elements of P."}});
bool GradedBy(Grading grading);

/// main() of a suite program (tests/suites/suite_main.cc): runs its tests in order and writes their
/// recorded results. Returns the exit status.
int RunJudge(int argc, char** argv);

/// The session through which tests make their calls; exists while RunJudge runs.
JudgeSession& Session();

/// Random numbers for the running test's inputs. They depend only on the run's seed and the test's name, not
/// on what ran before.
RandomValues TestRandom();

/// Records the running test's result; name and time are filled in here. Every test must record one. A failed
/// GoogleTest assertion is a fault of the suite, not a failure of the submission.
void RecordResult(TestResult result);

/// A TestResult with everything that the call's report already decides.
TestResult ResultOf(const Message& title, const CallReport& report);

/// Adds the outcome of a comparison. kWrongResult replaces only kPassed and kNotRun.
void AddComparison(TestResult& result, const Comparison& comparison, const std::string& array);

/// Adds the comparison of a whole number that the function returns: `got` is CallOutcome::ResultAs<int>() of
/// the call. It counts as one more compared value, so a report says "wrong result" if it differs. Without a
/// value the submission returns another type; after a call that did not return, nothing is added.
void AddReturned(TestResult& result, std::int64_t expected, const std::optional<std::int64_t>& got);

/// Sets the verdict if it takes precedence over the present one.
void AddVerdict(TestResult& result, Verdict verdict, const Message& reason, const Message& next_step);

}  // namespace warplings
