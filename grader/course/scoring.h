// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/base/result.h"
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

/// True if `name` matches `pattern`, in which `*` matches any text, even none.
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace warplings
