// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/rubric_tests.h"

#include <algorithm>

#include "grader/base/spelling.h"
#include "grader/course/scoring.h"
#include "grader/messages/course.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/test_names.h"

namespace warplings {
namespace {

bool NamesOne(const TestGroup& group, const std::vector<std::string>& tests) {
  return !TestsOfGroup(group, tests).empty();
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

/// True if it is the same table of the file: an assignment's group is that of all its exercises without one
/// of their own.
bool HasGroup(const AssignedExercise& assigned, const TestGroup& group) {
  return assigned.scoring.scoring == Scoring::kRubric &&
         std::ranges::count(assigned.scoring.groups, group.line, &TestGroup::line) > 0;
}

/// Each name and pattern matches a test of an exercise that has the group.
Status CheckNames(const TestGroup& group, const std::vector<AssignedExercise>& exercises,
                  const RubricTests& tests) {
  std::vector<std::string> ids, all;
  std::string file;
  for (const AssignedExercise& each : exercises) {
    if (!HasGroup(each, group)) continue;
    file = each.course_file;
    ids.push_back(each.exercise->id);
    const std::vector<std::string>& own = tests.at(each.exercise);
    all.insert(all.end(), own.begin(), own.end());
  }
  for (std::size_t i = 0; i < group.tests.size(); ++i) {
    const std::string& name = group.tests[i];
    if (std::ranges::any_of(all, [&](const std::string& test) { return MatchesPattern(test, name); }))
      continue;
    const int line = i < group.test_lines.size() ? group.test_lines[i] : group.line;
    std::string typed = name;
    std::erase(typed, '*');
    return UsageError(
        WithClosest(say::name_without_test(file, line, Join(ids), group.title, name), typed, all),
        say::its_tests(Join(all)));
  }
  return Unit{};
}

}  // namespace

std::vector<std::string> TestsOfGroup(const TestGroup& group, const std::vector<std::string>& tests) {
  std::vector<std::string> own;
  for (const std::string& test : tests) {
    if (std::ranges::any_of(group.tests,
                            [&](const std::string& pattern) { return MatchesPattern(test, pattern); }))
      own.push_back(test);
  }
  return own;
}

Result<RubricTests> CheckRubrics(const std::vector<AssignedExercise>& exercises, const Layout& layout) {
  RubricTests tests;
  std::vector<const Exercise*> asked;
  for (const AssignedExercise& each : exercises) {
    if (each.scoring.scoring == Scoring::kRubric) asked.push_back(each.exercise);
  }
  if (asked.empty()) return tests;
  if (const Status built = BuildSuites(asked, layout); !built) return built.error();
  for (const Exercise* each : asked) {
    auto listed = ListTests(*each, layout);
    if (!listed) return listed.error();
    tests[each] = *std::move(listed);
  }
  for (const AssignedExercise& each : exercises) {
    if (each.scoring.scoring != Scoring::kRubric) continue;
    for (const TestGroup& group : each.scoring.groups) {
      if (const Status named = CheckNames(group, exercises, tests); !named) return named.error();
      if (const Status checked = CheckGroup(group, each, tests.at(each.exercise)); !checked)
        return checked.error();
    }
  }
  return tests;
}

}  // namespace warplings
