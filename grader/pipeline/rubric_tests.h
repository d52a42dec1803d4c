// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/core/layout.h"
#include "grader/course/course_file.h"

namespace warplings {

/// Checks that each group of a rubric names existing tests, by asking the suites, and among them one that the
/// unchanged starter fails: the others earn nothing (PassedShare). So a misspelt name is reported before
/// grading and not when points are added up. The error is a usage error that names the line.
Status CheckRubrics(const std::vector<AssignedExercise>& exercises, const Layout& layout);

}  // namespace warplings
