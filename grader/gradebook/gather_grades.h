// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/gradebook.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Collects the grades of the class whose submissions were read last, for the exercises of `workbook`.
Result<ClassGrades> GatherGrades(const Gradebook& gradebook, const Workbook& workbook);

/// The same without what people decided about points, comments and requests, for ApplyDecisions(). Tests that
/// are excluded for everybody are left out already.
Result<ClassGrades> GatherUndecided(const Gradebook& gradebook, const Workbook& workbook);

struct StudentLateDays {
  std::string name;
  RosterFields roster;
  LateDays days;
};

/// The students' free late days, as GatherGrades() has them, without reading what was handed in on time.
/// Empty if the course has none.
Result<std::vector<StudentLateDays>> GatherLateDays(const Gradebook& gradebook, const Workbook& workbook);

/// Makes a file name for each student. Letters, digits, '.', '-', '_' and non-ASCII characters are kept, all
/// others become '_'. At most 100 bytes, and unique even if case is ignored.
std::vector<std::string> PageNames(const std::vector<StudentRow>& students);

}  // namespace warplings
