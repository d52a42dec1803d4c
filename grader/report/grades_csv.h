// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// A line for each student: Student, Points, Max points, a column CHAPTER/EXERCISE for each exercise,
/// Missing, Unusable, Not graded (how many exercises), Remarks; behind these, what the roster says of the
/// student, the grader's own points beside the final ones, why they differ, comments, and of each exercise
/// the automatic points and the most that it gives. A missing or unusable exercise is an empty field, one
/// that the grader could not grade says "not graded", and then Points does, too.
std::string GradesCsv(const ClassGrades& grades);

/// "+2 points: REASON (AUTHOR)".
std::string ChangeText(const PointChange& change);

}  // namespace warplings
