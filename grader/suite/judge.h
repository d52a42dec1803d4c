// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/core/verdict.h"
#include "grader/suite/judge_session.h"
#include "grader/suite/random_values.h"
#include "grader/suite/timed_shape.h"

namespace warplings {

/// Asked once after the last test: which misconceptions explain what the tests saw?
using Recogniser = std::function<std::vector<Recognised>()>;

/// Asked once after the last test, before the Recogniser, unless all tests passed: what was computed instead?
using Explainer = std::function<std::vector<Explained>()>;

/// Says who explains wrong values in this suite program. At namespace scope, as RecogniseWith.
bool ExplainWith(Explainer explainer);

/// Says who recognises misconceptions in this suite program. At namespace scope of the suite's file:
///
///     const bool recognises = RecogniseWith([] { return Recognise(AllEvidence()); });
bool RecogniseWith(Recogniser recogniser);

/// The shapes on which submissions of this suite are timed, likewise:
///
///     const bool timed = TimeWith([](bool rehearsal) { return std::vector<TimedShape>{…}; });
bool TimeWith(TimedShapes shapes);

/// What the suite grades besides values: the sentences that the contract header lists under "Graded besides
/// the values:", word for word; `warplings verify` holds the two to each other. At namespace scope, likewise:
///
///     const bool graded = GradedBy(GradedWork("P", false), {"A block has 256 threads."});
bool GradedBy(std::vector<std::string> work, const std::vector<std::string>& limits);

/// main() of a suite program (tests/chapters/suite_main.cc): runs its tests in their order and writes what
/// they record.
int RunJudge(int argc, char** argv);

/// What a test of a suite uses; there while RunJudge runs.
JudgeSession& Session();

/// Inputs of the running test: the same for the same seed of the run, whatever ran before.
RandomValues TestRandom();

/// The running test's result. A test must record one; name and time are filled in here. A failed
/// GoogleTest assertion is not a submission's failure but a fault of the suite.
void RecordResult(TestResult result);

/// A TestResult with what a call's report already decides.
TestResult ResultOf(const std::string& title, const CallReport& report);

/// Adds what a comparison found: a wrong element outranks nothing but kPassed and kNotRun.
void AddComparison(TestResult& result, const Comparison& comparison, const std::string& array);

/// Takes over a verdict that outranks the present one.
void AddVerdict(TestResult& result, Verdict verdict, const std::string& reason, const std::string& next_step);

}  // namespace warplings
