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

std::string Join(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

Status CheckGroup(const TestGroup& group, const AssignedExercise& assigned,
                  const std::vector<std::string>& tests) {
  const Exercise& exercise = *assigned.exercise;
  if (!NamesOne(group, tests)) {
    return UsageError(say::group_without_test(assigned.course_file, group.line, exercise.id, group.title),
                      say::its_tests(Join(tests)));
  }
  if (!NamesOne(group, exercise.starter_fails)) {
    return UsageError(
        say::group_of_starters_tests(assigned.course_file, group.line, exercise.id, group.title),
        say::name_a_test_that_starter_fails(Join(exercise.starter_fails)));
  }
  return Unit{};
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
      if (const Status checked = CheckGroup(group, each, *tests); !checked) return checked;
    }
  }
  return Unit{};
}

}  // namespace warplings
