// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// A file that a student's workbook should have.
struct WorkbookFile {
  std::string path;  ///< Relative to the workbook: "chapters/01_boundary_checks/tiled_matmul.cu".
  std::string text;
};

/// Starters, contracts and answers to fill in of every exercise of `tree`, a source tree or
/// PREFIX/share/warplings, and a page that says how to work with them. No chapter.toml: it holds hints and
/// what wrong answers are told.
Result<std::vector<WorkbookFile>> FilesOfWorkbook(const std::filesystem::path& tree,
                                                  const Workbook& chapters);

/// What became of the files, by their paths. A file that is in none of the lists was there and is up to date.
struct LaidOut {
  std::vector<std::string> added;
  std::vector<std::string> replaced;  ///< As an earlier version laid them down, so not the student's work.
  std::vector<std::string>
      beside;  ///< Edited by the student: the new version is in a file of this name and ".new".
  std::vector<std::string> in_the_way;  ///< Like `beside`, but the ".new" that is there was edited, too.
};

/// Lays `files` down in the folder `workbook`, which exists, and notes in .warplings/laid_down what it did. A
/// file that the student has edited is never written to.
///
/// Everything is written below .warplings/incoming first and renamed into place. So an interruption or a full
/// disk leaves each file whole, old or new, and the next call does the rest. What is about to be replaced is
/// noted before: after an interruption a new version must not look like a student's edit. `before_step` is
/// called before each change on the disk; a test ends the process there.
Result<LaidOut> LayOutWorkbook(
    const std::filesystem::path& workbook, const std::vector<WorkbookFile>& files, const std::string& version,
    const std::function<void()>& before_step = [] {});

/// Makes `folder` and a workbook in it. It may exist if it is empty, or if it is a workbook: then what is
/// missing is added. Anything else is a usage error.
Result<LaidOut> MakeWorkbook(
    const std::filesystem::path& folder, const std::vector<WorkbookFile>& files, const std::string& version,
    const std::function<void()>& before_step = [] {});

}  // namespace warplings
