// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// Gradescope's results.json for one student, by docs/gradescope.schema.json: one Gradescope test per
/// exercise, with the report that the student would see. Only for a student whose exercises are all graded,
/// because Gradescope has no "not graded".
std::string GradescopeResults(const ClassGrades& grades, const StudentGrades& student);

}  // namespace warplings
