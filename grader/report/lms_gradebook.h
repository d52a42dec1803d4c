// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"

namespace warplings {

/// How to fill in a gradebook that a learning management system (LMS) exported.
struct LmsRequest {
  std::string_view exported;  ///< Text of the file.
  std::string column;         ///< Name of the column for the grade; may be empty if only one column fits.
  bool scale = false;         ///< Scale points in proportion if the LMS has another maximum.
};

/// A line of the export whose grade or feedback becomes another.
struct LmsChange {
  std::string student;         ///< As the export calls its line; the login is behind a name that two share.
  std::string before, after;   ///< The grade; "" for none.
  bool only_feedback = false;  ///< The grade stays.
  bool is_of_nothing = false;  ///< Nothing was handed in, and nobody gave points.
  std::string problem{};       ///< WhyUnread() of a file for which nobody gave points.
  std::string unmatched{};     ///< Why the entry is nobody's of the roster.
};

/// The filled gradebook, ready to be imported: with the LMS's own ids and one column of grades.
struct FilledGradebook {
  std::vector<std::vector<std::string>> rows;  ///< Fields in quotes; the header is the first.
  char delimiter = ',';
  std::string column;
  std::vector<LmsChange> changes;
  std::vector<std::string> filled;         ///< Students' names as in the class.
  std::vector<std::string> filled_others;  ///< The same of entries that are not in the roster.
  std::vector<std::string> not_in_export;  ///< Students of the class who are not in the export.
  std::vector<std::string> left;           ///< Lines of the export that are left unchanged, and why.
  /// Lines that are left unchanged because it is not clear whose they are: who fits, and by what. These
  /// students are not in `not_in_export`.
  std::vector<std::string> doubtful;
  /// Lines of students without anything handed in that are left unchanged, because entries that are nobody's
  /// of the roster may be theirs. These entries are not in `not_in_export`.
  std::vector<std::string> maybe_handed_in;
  std::vector<std::string> above;  ///< "Ada (22)": whose grade is more than the maximum there.
  bool is_of_unknown_points =
      false;  ///< The export does not say how many points the assignment is worth there.
};

/// Canvas identifies students by ID (or the SIS ids) and reads the column "Name (assignment id)". An unknown
/// column would create a new assignment, so only a column of the export is filled. Other assignments' columns
/// are dropped, which Canvas treats as "no change".
Result<FilledGradebook> FillCanvas(const ClassGrades& grades, const LmsRequest& request);

/// Moodle: the gradebook's export as plain text (E-mail address or ID number, the grade, "(Feedback)"), or an
/// assignment's grading worksheet (Identifier, Grade, Feedback comments). Moodle rejects a whole import
/// because of one unknown line, so only lines of its own export are written.
Result<FilledGradebook> FillMoodle(const ClassGrades& grades, const LmsRequest& request);

/// A column of an export that may take grades.
struct LmsColumn {
  std::string header;  ///< "Week 1 (12)", "Assignment: Week 1 (Real)".
  std::string name;    ///< What the assignment is called there: "Week 1".
};

Result<std::vector<LmsColumn>> CanvasColumns(std::string_view exported);
/// None for a grading worksheet, which is one assignment's and does not say which.
Result<std::vector<LmsColumn>> MoodleColumns(std::string_view exported);

/// One file out of gradebooks that were filled from the same export, with the columns of all.
std::string JoinedText(const std::vector<FilledGradebook>& filled);

/// For a dry run: each change, by column, and how many there are.
std::string LmsChangesText(const std::vector<FilledGradebook>& filled);

}  // namespace warplings
