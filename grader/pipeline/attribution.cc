// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/attribution.h"

#include <algorithm>
#include <utility>

namespace warplings {
namespace {

constexpr const char* kNextStep =
    "Look for what is unusual in it: huge sizes, very many calls or allocations, text that never ends. "
    "Please "
    "report it as well: the grader should have named the cause.";

bool AllPassed(const SuiteOutcome& outcome) {
  return !outcome.tests.empty() && std::ranges::all_of(outcome.tests, [](const TestResult& test) {
    return test.verdict == Verdict::kPassed;
  });
}

void BlameSubmission(TestResult& test, const std::string& reason) {
  test.verdict = Verdict::kFinding;
  test.reason = "the grader broke off here, twice, and not with the solution: " + reason;
  test.next_step = kNextStep;
}

/// The suite itself did not get through: its first test stands for all.
SuiteOutcome BlamedFor(const Error& error, const SuiteOutcome& solution) {
  SuiteOutcome outcome;
  for (const TestResult& each : solution.tests) {
    TestResult test;
    test.name = each.name;
    test.title = each.title;
    test.reason = "not run, because the grader broke off";
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
    if (test.verdict == Verdict::kGraderFault) BlameSubmission(test, English(test.reason));
  }
  return second;
}

}  // namespace warplings
