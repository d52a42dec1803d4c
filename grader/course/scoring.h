// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/core/exercise_result.h"
#include "grader/course/course_file.h"

namespace warplings {

/// Splits `total` (rounded) in proportion to `weights` into multiples of 0.01 that add up to it exactly. Each
/// share is rounded down, and the remaining hundredths go to the largest remainders, earlier ones first. All
/// shares are 0 if all weights are.
std::vector<double> Apportion(double total, const std::vector<double>& weights);

/// The points that a result earns by the assignment's rule, as a multiple of 0.01; lateness is not
/// considered. `excluded` are names of tests that do not count; if all are excluded, none counts as failed. A
/// rubric's group that matches no test of the suite is a usage error, because its points could never be
/// earned.
Result<double> ScoreResult(const ExerciseResult& result, const AssignedExercise& assigned,
                           const std::set<std::string>& excluded = {});

/// How those points came about where not all tests or none decide: by a rubric's groups, or in proportion to
/// the tests passed. A group of which no test counts is left out. Empty without tests. The groups' maxima add
/// up to the exercise's points, as Apportion() splits them, and the groups' points to those of ScoreResult().
std::vector<GroupScore> ScoreGroups(const ExerciseResult& result, const AssignedExercise& assigned,
                                    const std::set<std::string>& excluded = {});

/// The rubric's groups that earn points: each has a test that is not excluded and that the unchanged starter
/// fails. Empty without a rubric.
std::vector<const TestGroup*> EarningGroups(const AssignedExercise& assigned,
                                            const std::set<std::string>& excluded);

/// The share of the points, 0 to 1, that depends on the measured speed if it was measured.
double SpeedShare(const AssignedExercise& assigned);

/// True if points are in proportion to the tests passed, by the assignment's rule or the workbook's.
bool IsPerTest(const AssignedExercise& assigned);

/// True if `name` matches `pattern`, in which `*` matches any text, even none.
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace warplings
