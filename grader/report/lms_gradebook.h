// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"

namespace warplings {

/// What to put into the gradebook that a learning management system exported.
struct LmsRequest {
  std::string_view exported;  ///< Text of the file.
  std::string column;         ///< The grade's; may be empty where only one can be meant.
  bool scale = false;         ///< Points in proportion where the system gives another number of points.
};

/// That gradebook, to be imported again: its own ids, one column of grades.
struct FilledGradebook {
  std::string text;
  std::string column;
  std::vector<std::string> filled;         ///< Students, as the class names them.
  std::vector<std::string> not_in_export;  ///< Students of the class whom the system does not know.
  std::vector<std::string> left;           ///< Lines of the system's that stay as they are, and why.
};

/// Canvas reads ID (or the SIS ids) and the column "Name (assignment id)"; an unknown column would make a new
/// assignment, so only one that was exported is filled. Other assignments' columns are left out, which Canvas
/// takes for "no change".
Result<FilledGradebook> FillCanvas(const ClassGrades& grades, const LmsRequest& request);

/// Moodle: the gradebook's export as plain text (E-mail address or ID number, the grade, "(Feedback)"), or an
/// assignment's grading worksheet (Identifier, Grade, Feedback comments). Moodle gives up a whole import for
/// one line that it does not know, so lines are only those that it exported itself.
Result<FilledGradebook> FillMoodle(const ClassGrades& grades, const LmsRequest& request);

}  // namespace warplings
