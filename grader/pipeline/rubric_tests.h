// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/core/layout.h"
#include "grader/course/course_file.h"

namespace warplings {

/// Whether each group of a rubric names a test of its exercise, asked of the suites: a misspelt name is told
/// before anybody is graded, and not when the points of a class are added up. The error is a usage error that
/// names the line.
Status CheckRubrics(const std::vector<AssignedExercise>& exercises, const Layout& layout);

}  // namespace warplings
