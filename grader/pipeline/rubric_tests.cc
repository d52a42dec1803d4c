// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/rubric_tests.h"

#include <algorithm>
#include <sstream>

#include "grader/base/program_output.h"
#include "grader/course/scoring.h"
#include "grader/pipeline/suite_programs.h"

namespace warplings {
namespace {

Result<std::vector<std::string>> ListTests(const Exercise& exercise, const Layout& layout) {
  const auto output =
      CaptureOutput({layout.SuiteProgram(exercise.chapter, exercise.id).string(), "--gtest_list_tests"});
  if (!output) return output.error();
  if (output->status != 0) return GraderError("the suite of " + exercise.id + " does not list its tests");
  return ParseTestList(output->text);
}

bool NamesOne(const TestGroup& group, const std::vector<std::string>& tests) {
  return std::ranges::any_of(group.tests, [&](const std::string& pattern) {
    return std::ranges::any_of(tests, [&](const std::string& test) { return MatchesPattern(test, pattern); });
  });
}

}  // namespace

std::vector<std::string> ParseTestList(const std::string& listed) {
  std::vector<std::string> names;
  std::istringstream lines(listed);
  std::string line, suite;
  while (std::getline(lines, line)) {
    // "  Name  # GetParam() = 3"
    line = line.substr(0, line.find("  #"));
    if (line.starts_with("  ")) {
      if (!suite.empty()) names.push_back(suite + line.substr(2));
    } else {
      suite = line.ends_with('.') ? line : "";
    }
  }
  return names;
}

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
      return UsageError("line " + std::to_string(group.line) + " of the course's file: no test of " +
                            each.exercise->id + " is named by the group '" + group.title + "'",
                        "Its tests are " + names);
    }
  }
  return Unit{};
}

}  // namespace warplings
