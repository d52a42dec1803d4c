// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/cell_scorer.h"

#include <algorithm>

#include "grader/core/round_points.h"
#include "grader/course/late.h"
#include "grader/course/roster.h"
#include "grader/course/scoring.h"

namespace warplings {
namespace {

std::vector<AssignedExercise> WholeWorkbook(const Workbook& workbook) {
  std::vector<AssignedExercise> exercises;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) exercises.push_back({&exercise, exercise.points, {}});
  }
  return exercises;
}

const Extension* ExtensionOf(const Assignment& assignment, const StudentRow& student) {
  const auto is_students = [&](const Extension& extension) {
    return IsCalled(extension.student, student.name, student.roster);
  };
  const auto found = std::ranges::find_if(assignment.extensions, is_students);
  return found == assignment.extensions.end() ? nullptr : &*found;
}

/// Of the free late days, those that this assignment may still use.
std::int64_t LateDaysLeft(const ScoringScope& scope, const StudentRow& student) {
  const std::int64_t left = scope.course->late_days - student.late_days_before;
  return std::max<std::int64_t>(0, std::min(left, scope.assignment->late.late_days));
}

Lateness LatenessOf(const ScoringScope& scope, const StudentRow& student, const AttemptRow& attempt,
                    std::int64_t free_days) {
  return JudgeLateness({attempt.handed_in_at, attempt.marked_late}, *scope.assignment,
                       ExtensionOf(*scope.assignment, student), free_days);
}

}  // namespace

Result<ScoringScope> ResolveScope(const GradedScope& graded, const Workbook& workbook) {
  ScoringScope scope;
  if (!graded.course_file.empty()) {
    auto course = ParseCourse(graded.course, graded.course_file);
    if (!course) return course.error();
    const auto assignment = FindAssignment(*course, graded.assignment);
    if (!assignment) return assignment.error();
    auto exercises = ResolveAssignment(**assignment, workbook, graded.course_file);
    if (!exercises) return exercises.error();
    scope.assignment = **assignment;
    scope.exercises = std::move(*exercises);
    scope.course = std::move(*course);
    return scope;
  }
  if (graded.what.empty()) {
    scope.exercises = WholeWorkbook(workbook);
    return scope;
  }
  // The same as an assignment that says nothing but `what`.
  Assignment asked;
  asked.what = graded.what;
  for (const std::string& what : graded.what) {
    if (const auto selected = SelectExercises(workbook, what); !selected) return selected.error();
  }
  auto exercises = ResolveAssignment(asked, workbook, "");
  if (!exercises) return exercises.error();
  scope.exercises = std::move(*exercises);
  return scope;
}

std::vector<std::size_t> AttemptsToGrade(const ScoringScope& scope, std::size_t attempts) {
  if (attempts == 0) return {};
  if (!scope.assignment) return {attempts - 1};
  const Assignment& assignment = *scope.assignment;
  const std::size_t counted = std::min<std::size_t>(
      attempts,
      static_cast<std::size_t>(assignment.max_attempts.value_or(static_cast<std::int64_t>(attempts))));
  if (assignment.attempts == AttemptRule::kFirst) return {0};
  if (assignment.attempts == AttemptRule::kLast) return {counted - 1};
  std::vector<std::size_t> all(counted);
  for (std::size_t i = 0; i < counted; ++i) all[i] = i;
  return all;
}

std::optional<std::int64_t> DueDateOf(const ScoringScope& scope, const StudentRow& student) {
  if (!scope.assignment) return std::nullopt;
  return DueOf(*scope.assignment, ExtensionOf(*scope.assignment, student));
}

bool MayUseLateDays(const ScoringScope& scope, const StudentRow& student, const AttemptRow& attempt) {
  return scope.assignment && LatenessOf(scope, student, attempt, LateDaysLeft(scope, student)).free_days > 0;
}

Result<ScoredAttempt> ScoreAttempt(const ScoringScope& scope, const AssignedExercise& exercise,
                                   const StudentRow& student, const AttemptRow& attempt,
                                   const ExerciseResult& result, const std::set<std::string>& excluded) {
  ScoredAttempt scored;
  scored.groups = ScoreGroups(result, exercise, excluded);
  if (!scope.assignment && excluded.empty()) {
    scored.automatic = scored.points = RoundPoints(result.points);
    return scored;
  }
  const auto automatic = ScoreResult(result, exercise);
  const auto counted = ScoreResult(result, exercise, excluded);
  if (!automatic) return automatic.error();
  if (!counted) return counted.error();
  scored.automatic = *automatic;
  scored.points = *counted;
  if (*counted != *automatic) {
    scored.changes.push_back({.kind = PointChange::Kind::kExcludedTest,
                              .delta = RoundPoints(*counted - *automatic),
                              .reason = "a test counts for nobody",
                              .author = "",
                              .when = ""});
  }
  if (!scope.assignment) return scored;
  // Work without points has none to save, and none to lose.
  const std::int64_t left = scored.points > 0 ? LateDaysLeft(scope, student) : 0;
  const Lateness late = LatenessOf(scope, student, attempt, left);
  scored.late_seconds = late.seconds;
  scored.is_within_grace = late.is_within_grace;
  scored.is_closed = late.is_closed;
  scored.free_days = late.free_days;
  const double kept = RoundPoints(scored.points * (1 - late.percent / 100));
  if (scored.points > 0 && (late.percent > 0 || late.free_days > 0)) {
    scored.changes.push_back({.kind = PointChange::Kind::kLate,
                              .delta = RoundPoints(kept - scored.points),
                              .reason = late.reason,
                              .author = "",
                              .when = ""});
  }
  scored.points = kept;
  return scored;
}

}  // namespace warplings
