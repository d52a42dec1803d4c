// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/decision.h"

namespace warplings {

/// The tests of this exercise that count for nobody.
std::vector<ExcludedTest> ExcludedTests(const std::vector<Decision>& decisions, const std::string& chapter,
                                        const std::string& exercise);

/// Appends a change that takes the cell's points to `points`; none where they are that already, unless
/// somebody decided so.
void ChangePoints(GradeCell& cell, double points, PointChange change);

/// "01_first.Scale.One and 01_first.Scale.Two count for nobody: REASON"; the change for excluded tests that a
/// result has among its own.
PointChange ExclusionChange(const std::vector<ExcludedTest>& excluded);

/// Sets the cells' points where somebody decided, and hangs comments and requests to them. After all other
/// rules, so that a person has the last word. Adds up the students' points anew.
void ApplyDecisions(const std::vector<Decision>& decisions, ClassGrades& grades);

}  // namespace warplings
