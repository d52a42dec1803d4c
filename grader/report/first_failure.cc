// SPDX-License-Identifier: Apache-2.0
#include "grader/report/first_failure.h"

#include <algorithm>

#include "grader/messages/report.h"

namespace warplings {
namespace {

std::size_t TestsOf(const Misconception& misconception) {
  return misconception.tests ? misconception.tests->size() : 0;
}

}  // namespace

bool NameComesFirst(const ExerciseResult& result) {
  return result.advice && !result.advice->misconception.empty();
}

const TestResult* FirstFailure(const ExerciseResult& result) {
  if (!result.advice) return nullptr;
  const auto found = std::ranges::find(result.tests, result.advice->test, &TestResult::name);
  return found == result.tests.end() ? nullptr : &*found;
}

Message SeenIn(const Misconception& misconception) {
  const Message& evidence = misconception.evidence;
  if (evidence.empty()) return {};
  const std::size_t tests = TestsOf(misconception);
  return tests < 2 ? say::seen_in(evidence) : say::seen_in_tests(say::Count(tests, "test"), evidence);
}

std::vector<Message> LaterCauses(const ExerciseResult& result) {
  std::vector<Message> causes;
  if (!result.advice) return causes;
  for (const std::string& id : result.advice->later) {
    const auto cause = std::ranges::find(result.misconceptions, id, &Misconception::id);
    if (cause == result.misconceptions.end()) continue;
    const std::size_t tests = TestsOf(*cause);
    causes.push_back(tests == 0 ? say::after_that(cause->title)
                                : say::after_that_in_tests(cause->title, say::Count(tests, "test")));
  }
  return causes;
}

}  // namespace warplings
