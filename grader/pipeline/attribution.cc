// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/attribution.h"

#include <algorithm>
#include <utility>

#include "grader/messages/grader_faults.h"

namespace warplings {
namespace {

bool AllPassed(const SuiteOutcome& outcome) {
  return !outcome.tests.empty() && std::ranges::all_of(outcome.tests, [](const TestResult& test) {
    return test.verdict == Verdict::kPassed;
  });
}

void BlameSubmission(TestResult& test, const Message& reason) {
  test.verdict = Verdict::kFinding;
  test.reason = say::grader_broke_off_twice(reason);
  test.next_step = say::look_for_the_unusual();
}

/// The suite itself did not get through: its first test stands for all.
SuiteOutcome BlamedFor(const Error& error, const SuiteOutcome& solution) {
  SuiteOutcome outcome;
  for (const TestResult& each : solution.tests) {
    TestResult test;
    test.name = each.name;
    test.title = each.title;
    test.reason = say::not_run_as_grader_broke_off();
    outcome.tests.push_back(std::move(test));
  }
  BlameSubmission(outcome.tests.front(), error.message);
  return outcome;
}

}  // namespace

bool HasGraderFault(const Result<SuiteOutcome>& run) {
  if (!run) return run.error().blame != Blame::kUsage;
  return std::ranges::any_of(run->tests,
                             [](const TestResult& test) { return test.verdict == Verdict::kGraderFault; });
}

Result<SuiteOutcome> AttributeFaults(Result<SuiteOutcome> first,
                                     const std::function<Result<SuiteOutcome>()>& again,
                                     const std::function<std::optional<Result<SuiteOutcome>>()>& solution) {
  if (!HasGraderFault(first)) return first;
  Result<SuiteOutcome> second = again();
  if (!HasGraderFault(second)) return second;
  const std::optional<Result<SuiteOutcome>> control = solution();
  if (!control || !*control || !AllPassed(**control)) return second;
  if (!second) return BlamedFor(second.error(), **control);
  for (TestResult& test : second->tests) {
    if (test.verdict == Verdict::kGraderFault) BlameSubmission(test, test.reason);
  }
  return second;
}

}  // namespace warplings
