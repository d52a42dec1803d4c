// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/course/course_file.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// The exercises that a class is graded on, and the rules: those of a course's assignment, or the workbook's
/// own points.
struct ScoringScope {
  std::optional<Course> course;
  std::optional<Assignment> assignment;     ///< Set if `course` is.
  std::vector<AssignedExercise> exercises;  ///< In the workbook's order.
};

/// Resolves the gradebook's stored scope against this workbook. A course that is invalid or names something
/// that does not exist is a usage error.
Result<ScoringScope> ResolveScope(const GradedScope& scope, const Workbook& workbook);

/// Indices, from 0, of the attempts that may count: all if the best one counts, otherwise one. Empty without
/// attempts.
std::vector<std::size_t> AttemptsToGrade(const ScoringScope& scope, std::size_t attempts);

/// The student's due date, with an extension; nothing without one, or without a course.
std::optional<std::int64_t> DueDateOf(const ScoringScope& scope, const StudentRow& student);

/// True if this attempt would use free late days if it earned points and counted.
bool MayUseLateDays(const ScoringScope& scope, const StudentRow& student, const AttemptRow& attempt);

/// The points of one attempt if it were the one that counts.
struct ScoredAttempt {
  double automatic = 0, points = 0;
  std::int64_t late_seconds = 0;
  bool is_within_grace = false, is_closed = false;  ///< As Lateness has them.
  std::int64_t free_days = 0;                       ///< Free late days that it uses.
  std::vector<PointChange> changes;                 ///< By the course's rules.
  std::vector<GroupScore> groups;                   ///< As GradeCell has them.
};

/// Scores one attempt. `excluded` are names of tests that are excluded for the whole class.
Result<ScoredAttempt> ScoreAttempt(const ScoringScope& scope, const AssignedExercise& exercise,
                                   const StudentRow& student, const AttemptRow& attempt,
                                   const ExerciseResult& result, const std::set<std::string>& excluded = {});

}  // namespace warplings
