// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/course/course_file.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// The exercises that a class is graded on, and the rules by which: a course's assignment, or the workbook's
/// own points.
struct ScoringScope {
  std::optional<Course> course;
  std::optional<Assignment> assignment;     ///< Together with `course`.
  std::vector<AssignedExercise> exercises;  ///< In the workbook's order.
};

/// What the gradebook's scope means in this workbook. A course that is wrong, or names what there is not, is
/// a usage error.
Result<ScoringScope> ResolveScope(const GradedScope& scope, const Workbook& workbook);

/// Numbers of the attempts, from 0 on, that can count: all for the best one, else one. None without attempts.
std::vector<std::size_t> AttemptsToGrade(const ScoringScope& scope, std::size_t attempts);

/// One attempt as it would count.
struct ScoredAttempt {
  double automatic = 0, points = 0;
  std::int64_t late_seconds = 0;
  std::vector<PointChange> changes;  ///< By rules of the course.
};

/// `excluded` are names of tests that count for nobody. `student` is in the roster's or the report's words.
Result<ScoredAttempt> ScoreAttempt(const ScoringScope& scope, const AssignedExercise& exercise,
                                   const StudentRow& student, const AttemptRow& attempt,
                                   const ExerciseResult& result, const std::set<std::string>& excluded = {});

}  // namespace warplings
