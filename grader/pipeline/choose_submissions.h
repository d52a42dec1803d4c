// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/pipeline/progress.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// One file that is checked for one exercise.
struct Submission {
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string display_name;  ///< The file's path as the user typed it or knows it.
  std::string source;        ///< Its text.
  std::string answers;       ///< Text of its answers file, if the exercise has one.
  /// True for the file in the student's workbook; only a check of it counts as progress.
  bool is_workbook_file = false;
};

/// The arguments of `check` that select exercises and files.
struct SubmissionRequest {
  /// Empty: the exercise that matches the name of --file, or else the one that the student is at work on.
  std::vector<std::string> what;
  std::string file;       ///< --file; empty if not given.
  bool solution = false;  ///< --solution.
  std::filesystem::path workbook_root{};
  std::string last_checked{};  ///< WorkbookHistory::last_checked.
};

/// What the student is at work on: the exercise whose file was edited last, unless this version was checked;
/// or else the one checked last, if it has not passed; or else the next unsolved one. Null if all have
/// passed.
const Exercise* ExerciseAtWork(const Workbook& workbook, const Progress& progress,
                               const std::filesystem::path& workbook_root, const std::string& last_checked);

/// Selects exercises and the file for each, and reads the files. Empty if nothing was named and
/// every exercise has passed. Unknown names, missing files and a --file that matches several exercises are
/// usage errors.
Result<std::vector<Submission>> ChooseSubmissions(const Workbook& workbook, const Progress& progress,
                                                  const SubmissionRequest& request);

}  // namespace warplings
