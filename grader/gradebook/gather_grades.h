// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/exercise/exercise.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// All that the gradebook knows of the class that was handed in last, for these exercises.
Result<ClassGrades> GatherGrades(const Gradebook& gradebook, const Workbook& workbook);

/// File names for students, in their order: letters, digits, '.', '-', '_' and whatever is not ASCII stay,
/// the rest becomes '_'; at most 100 bytes; no two are the same, not even where upper and lower case are.
std::vector<std::string> PageNames(const std::vector<StudentRow>& students);

}  // namespace warplings
