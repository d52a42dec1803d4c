// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/rubric_tests.h"

#include <algorithm>

#include "grader/course/scoring.h"
#include "grader/messages/course.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/test_names.h"

namespace warplings {
namespace {

bool NamesOne(const TestGroup& group, const std::vector<std::string>& tests) {
  return std::ranges::any_of(group.tests, [&](const std::string& pattern) {
    return std::ranges::any_of(tests, [&](const std::string& test) { return MatchesPattern(test, pattern); });
  });
}

}  // namespace

Status CheckRubrics(const std::vector<AssignedExercise>& exercises, const Layout& layout) {
  std::vector<const Exercise*> asked;
  for (const AssignedExercise& each : exercises) {
    if (each.scoring.scoring == Scoring::kRubric) asked.push_back(each.exercise);
  }
  if (asked.empty()) return Unit{};
  if (const Status built = BuildSuites(asked, layout); !built) return built;
  for (const AssignedExercise& each : exercises) {
    if (each.scoring.scoring != Scoring::kRubric) continue;
    const auto tests = ListTests(*each.exercise, layout);
    if (!tests) return tests.error();
    for (const TestGroup& group : each.scoring.groups) {
      if (NamesOne(group, *tests)) continue;
      std::string names;
      for (const std::string& test : *tests) names += (names.empty() ? "" : ", ") + test;
      return UsageError(say::group_without_test(group.line, each.exercise->id, group.title),
                        say::its_tests(names));
    }
  }
  return Unit{};
}

}  // namespace warplings
