// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "grader/core/class_grades.h"

namespace warplings {

/// The class report's data, with two marks in each cell: "starter" if an unchanged starter was handed in, and
/// "decided_before" if its points were decided when something else had been handed in.
nlohmann::json MarkedClassData(const ClassGrades& grades);

/// Of these data what is one student's.
nlohmann::json MarkedStudentData(const ClassGrades& grades, const StudentGrades& student);

}  // namespace warplings
