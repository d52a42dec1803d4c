// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// One line per student: Student, Points, Max points, one column CHAPTER/EXERCISE per exercise, Missing,
/// Unusable and Not graded (numbers of exercises), Remarks; then the student's roster entry, the grader's
/// points beside the final ones, why they differ, comments, and for each exercise the automatic and the
/// maximum points. A missing or unusable exercise is an empty field. One that the grader could not grade is
/// "not graded", and then so is Points.
std::string GradesCsv(const ClassGrades& grades);

/// "+2 points: REASON (AUTHOR)"; "uses 1 free late day" where the points stay.
std::string ChangeText(const PointChange& change);

/// "Any width: 4 of 8 points, 5 of 10 tests that count".
std::string GroupText(const GroupScore& group);

}  // namespace warplings
