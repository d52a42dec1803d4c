// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/class_grades.h"

namespace warplings {

/// One line per student: Student, Points, Max points, one column CHAPTER/EXERCISE per exercise, Missing,
/// Unusable and Not graded (numbers of exercises), Remarks; then the student's roster entry, the grader's
/// points beside the final ones, why they differ, comments, and for each exercise the automatic and the
/// maximum points. A missing or unusable exercise is an empty field. One that the grader could not grade is
/// "not graded", and then so is Points.
std::string GradesCsv(const ClassGrades& grades);

/// What an instructor should look at, whatever points the file has.
enum class Oddity {
  kForbidden,  ///< A forbidden call: refused before it ran.
  kByHost,     ///< The host may have computed.
  kStarter,    ///< Handed in as it was given out.
  kUnread,     ///< WhyUnread() of a file that was found.
};
std::vector<Oddity> OdditiesOf(const ClassGrades& grades, const GradeCell& cell);

/// "+2 points: REASON (AUTHOR)"; "uses 1 free late day" where the points stay.
std::string ChangeText(const PointChange& change);

/// What makes the points others than the grader's, as it adds up to that. Points that a person set replace
/// what the rubric's items add up to, which is then no change of its own.
std::vector<PointChange> EffectiveChanges(const ClassExercise& exercise, const GradeCell& cell);

/// "Any width: 4 of 8 points, 5 of 10 tests that count".
std::string GroupText(const GroupScore& group);

/// False if the rubric's items that hold left the points as they were: at an end of the scale, or because a
/// person has set the points. Items that cancel each other out did change them.
bool RubricCounts(const ClassExercise& exercise, const GradeCell& cell);

/// The rubric's items that hold: "Idea (-2)", or "Idea (-2, no effect)".
std::vector<std::string> ItemTexts(const ClassExercise& exercise, const GradeCell& cell);

/// The tests of the graded file that count for nobody, where leaving them out did not change its points.
std::vector<std::string> ExcludedWithoutEffect(const ClassGrades& grades, const ClassExercise& exercise,
                                               const GradeCell& cell);

}  // namespace warplings
