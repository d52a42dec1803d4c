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
  return result.next_step.empty() && !result.misconceptions.empty();
}

const TestResult* FirstFailure(const ExerciseResult& result) {
  const bool by_name = NameComesFirst(result) && TestsOf(result.misconceptions.front()) > 0;
  const auto is_meant = [&](const TestResult& test) {
    if (!HasFailed(test)) return false;
    if (by_name) return test.name == result.misconceptions.front().tests->front();
    return !result.next_step.empty() && test.next_step == result.next_step;
  };
  auto found = std::ranges::find_if(result.tests, is_meant);
  if (found == result.tests.end()) found = std::ranges::find_if(result.tests, HasFailed);
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
  for (std::size_t i = NameComesFirst(result) ? 1 : 0; i < result.misconceptions.size(); ++i) {
    const Misconception& each = result.misconceptions[i];
    std::string line = "After that: " + Printable(each.title);
    if (TestsOf(each) > 0) line += " (" + Counted(TestsOf(each), "test") + ")";
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace warplings
