// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/advise.h"

#include "grader/advice/causes.h"
#include "grader/advice/ranking.h"
#include "grader/advice/shown.h"
#include "grader/advice/test_titles.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

/// Whether a message is `first`, or `first` and more behind it.
bool BeginsWith(const Message& message, const Message& first) {
  if (message == first) return true;
  return say::both.Made(message) && BeginsWith(message.arguments().front().inner.front(), first);
}

/// A store past the end of an array that the submission declares: what is lost there is missing in the
/// values.
bool WritesPastOwnArray(const Message& step) {
  if (!say::own_array_outside.Made(step)) return false;
  const Message& access = step.arguments().at(3).inner.at(0);
  return say::numbered_element_past_end.Made(access) &&
         !say::reads.Made(access.arguments().at(0).inner.at(0));
}

/// What was found out about wrong values says more than the test's own next step. It may begin with that
/// step; otherwise it is not about the finding that the step is about. What a call that crashed has not
/// stored explains nothing.
void PreferExplainedStep(TestResult& test) {
  if (test.explained_step.empty() || WritesPastOwnArray(test.next_step)) return;
  if (test.verdict == Verdict::kCrashed && !test.next_step.empty()) return;
  if (test.next_step.empty() || !BeginsWith(test.explained_step, test.next_step)) test.advised.reset();
  test.next_step = test.explained_step;
}

}  // namespace

void Advise(std::span<const MisconceptionText> known, ExerciseResult& result) {
  for (TestResult& test : result.tests) PreferExplainedStep(test);
  MatchFacts(known, result);
  const Failures failures = FailuresOf(result);
  FindTestsOfCauses(failures, result);
  GiveTitles(result);
  RankCauses(failures, result);
  result.advice = AdviceToShow(result);
}

void AdviseStored(ExerciseResult& result) {
  if (!result.advice && !result.tests.empty()) result.advice = AdviceToShow(result);
}

}  // namespace warplings
