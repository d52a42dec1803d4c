// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/exercise_result.h"
#include "grader/course/course_file.h"

namespace warplings {

/// Points are kept in hundredths: to the nearest one, halves away from zero.
double RoundPoints(double points);

/// `total`, rounded, in shares by weight that are hundredths and add up to it exactly: each is rounded down,
/// and the hundredths left go to the largest remainders, the first of equal ones first. All zero where the
/// weights are.
std::vector<double> Apportion(double total, const std::vector<double>& weights);

/// The points that a result earns by the assignment's rule, in hundredths; late work is none of its business.
/// `excluded` are names of tests that count for nobody; where all are, none can have failed. A group of a
/// rubric that names no test of the suite is a usage error: its points could never be earned.
Result<double> ScoreResult(const ExerciseResult& result, const AssignedExercise& assigned,
                           const std::set<std::string>& excluded = {});

/// True where `name` is as `pattern` says; `*` stands for any letters, also none.
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace warplings
