// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// The class report's data as JSON, for pages/class/class_report.py. All strings are safe to print. Each
/// graded text is included once, and students refer to it by index.
std::string ClassReportData(const ClassGrades& grades);

/// Of these data what is one student's.
nlohmann::json ClassStudentData(const ClassGrades& grades, const StudentGrades& student);

}  // namespace warplings
