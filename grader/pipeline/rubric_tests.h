// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/core/layout.h"
#include "grader/course/course_file.h"

namespace warplings {

/// The names of the tests of the exercises that a rubric grades.
using RubricTests = std::map<const Exercise*, std::vector<std::string>>;

/// Checks the tests that a rubric's groups name, by asking the suites. Each name and pattern must match a
/// test of an exercise that has the group; otherwise a misspelt one beside right ones would change the points
/// without a word. For each exercise the group must have a test that the unchanged starter fails: the others
/// earn nothing (PassedShare). The error is a usage error that names the line.
Result<RubricTests> CheckRubrics(const std::vector<AssignedExercise>& exercises, const Layout& layout);

/// Those of `tests` that the group names.
std::vector<std::string> TestsOfGroup(const TestGroup& group, const std::vector<std::string>& tests);

}  // namespace warplings
