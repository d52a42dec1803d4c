// SPDX-License-Identifier: Apache-2.0
#include "grader/report/first_failure.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/report/prose.h"

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

std::string SeenIn(const Misconception& misconception) {
  if (misconception.evidence.empty()) return "";
  const std::string evidence = Prose(misconception.evidence);
  if (TestsOf(misconception) < 2) return "Seen in: " + evidence;
  return "Seen in " + Counted(TestsOf(misconception), "test") + ", such as " + evidence;
}

std::vector<std::string> LaterCauses(const ExerciseResult& result) {
  std::vector<std::string> lines;
  if (!result.advice) return lines;
  for (const std::string& id : result.advice->later) {
    const auto cause = std::ranges::find(result.misconceptions, id, &Misconception::id);
    if (cause == result.misconceptions.end()) continue;
    std::string line = "After that: " + Printable(cause->title);
    if (TestsOf(*cause) > 0) line += " (" + Counted(TestsOf(*cause), "test") + ")";
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warplings
