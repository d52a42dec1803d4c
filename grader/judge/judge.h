// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/judge/judge_session.h"
#include "grader/judge/random_values.h"

namespace warplings {

/// One exercise of a suite program.
struct SuiteExercise {
  std::string id;          ///< As in chapter.toml: "tiled_matmul".
  std::string test_suite;  ///< Its GoogleTest test suite: "TiledMatmul".
  /// Asked once after the last test: which misconceptions explain what the tests saw?
  std::function<std::vector<Recognised>()> recognise;
};

/// main() of a suite program: runs the tests of the exercise in its order and writes what they record.
///
///     int main(int argc, char** argv) { return warplings::RunJudge(argc, argv, {{"tiled_matmul", …}}); }
int RunJudge(int argc, char** argv, const std::vector<SuiteExercise>& exercises);

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
