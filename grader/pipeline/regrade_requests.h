// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/gradebook.h"
#include "grader/submissions/moodle_worksheet.h"
#include "grader/submissions/read_handed_in.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// The file in which a student asks to look again: a line for each exercise.
///
///     tiled_matmul = "Line 23 is right: the index is checked in line 21."
inline constexpr const char* kRegradeFile = "regrade.toml";

struct RegradeRequests {
  std::vector<DecisionChange> changes;
  std::size_t known = 0;          ///< Requests that are in the gradebook already, open or answered.
  std::vector<Message> problems;  ///< Entries and lines that are nobody's request, and why.
};

/// Reads what a class handed in as requests, laid out like submissions: a folder or archive for each student,
/// or an LMS's export. A request that is known is left as it is, so that an answered one is not opened again
/// by reading the same folder; another text opens it anew. Of several students with the name of an entry,
/// Moodle's worksheet tells whose it is (`participants`, null if there is none), or the number in the
/// folder's name, if the student's submission has the same one.
Result<RegradeRequests> ReadRegradeRequests(const std::filesystem::path& folder, const Workbook& workbook,
                                            const ClassGrades& grades, const std::vector<Decision>& former,
                                            const MoodleParticipants* participants = nullptr);

}  // namespace warplings
