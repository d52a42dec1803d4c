// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/exercise/exercise.h"
#include "grader/pipeline/progress.h"

namespace warplings {

/// One file to be checked as one exercise.
struct Submission {
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string display_name;       ///< As the user knows it.
  std::string source;             ///< Its text.
  std::string answers;            ///< Text of its answers file, where the exercise has one.
  bool is_workbook_file = false;  ///< The student's own; only such a check is progress.
};

/// What `check` was asked for.
struct SubmissionRequest {
  std::vector<std::string>
      what;               ///< Empty: the next unsolved exercise, or the one that --file is named after.
  std::string file;       ///< --file; empty if not given.
  bool solution = false;  ///< --solution.
};

/// Which exercises, and which file for each; the files are read. Empty when nothing was named and every
/// exercise has passed. Unknown names, missing files and a --file that fits several exercises are usage
/// errors.
Result<std::vector<Submission>> ChooseSubmissions(const Workbook& workbook, const Progress& progress,
                                                  const SubmissionRequest& request);

}  // namespace warplings
