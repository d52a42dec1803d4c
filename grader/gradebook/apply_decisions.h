// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/decision.h"

namespace warplings {

/// The tests of this exercise that are excluded for the whole class.
std::vector<ExcludedTest> ExcludedTests(const std::vector<Decision>& decisions, const std::string& chapter,
                                        const std::string& exercise);

/// Sets the cell's points to `points` and appends `change` with the difference. If the points do not change,
/// appends nothing, unless the change is a person's decision.
void ChangePoints(GradeCell& cell, double points, PointChange change);

/// The change for those excluded tests that a result contains: "the test 'width 35' counts for nobody:
/// REASON", with the names of tests that have no title.
PointChange ExclusionChange(const std::vector<ExcludedTest>& excluded);

/// What a decision about a cell's points is made about, for Decision::quote: a hash of what was handed in, or
/// that it was nothing. "" while that is not known.
std::string DecidedAbout(const GradeCell& cell);
/// The same for points, which are also about how many there are: "HASH of 8".
std::string PointsDecidedAbout(const GradeCell& cell, double max_points);

/// Sets the points of cells that a person decided on, attaches comments and requests, and recomputes the
/// students' totals. Call it after all other rules, so that a person has the last word.
void ApplyDecisions(const std::vector<Decision>& decisions, ClassGrades& grades);

}  // namespace warplings
