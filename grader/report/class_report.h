// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// What report/class/class_report.py draws the class report from, as JSON. Every text in it is fit to print;
/// each graded text is there once, and students refer to it by number.
std::string ClassReportData(const ClassGrades& grades);

}  // namespace warplings
