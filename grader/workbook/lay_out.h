// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// A file that a student's workbook should have.
struct WorkbookFile {
  std::string path;  ///< Relative to the workbook: "chapters/01_boundary_checks/tiled_matmul.cu".
  std::string text;
  /// The text in the program's tree, if `text` names the program by another command. A workbook that has the
  /// one is not told of the other as of a new version.
  std::string origin = {};
};

/// A text of the program's tree as a student's workbook has it: `command` takes the place of ./warplings.
std::string TextInWorkbook(const std::string& text, const std::string& command);

/// The command that took the place of ./warplings in a workbook's file: what differs in the line that names
/// it in `text`, the file's text in the program's tree. "./warplings" if the file has no such line.
std::string CommandInText(std::string_view text, std::string_view file);

/// What TextInWorkbook(TEXT, command) was made of.
std::string TextInTree(const std::string& file, const std::string& command);

/// The files of a student's workbook: starter, contract and answer form of every exercise, a page that says
/// how to work with them, and one that says how solutions are graded. `tree` is a source tree or
/// PREFIX/share/warplings; its texts say ./warplings, and the workbook's say `command`. chapter.toml is left
/// out because it contains the hints and the explanations of wrong answers.
Result<std::vector<WorkbookFile>> FilesOfWorkbook(const std::filesystem::path& tree, const Workbook& chapters,
                                                  const std::string& command);

/// What LayOutWorkbook did with each file, by path. A file in none of the lists existed and was up to date.
struct LayOutResult {
  std::vector<std::string> added;
  std::vector<std::string> replaced;  ///< Unchanged since an earlier version of the program wrote them.
  /// Edited by the student: the new version was written to this path plus ".new".
  std::vector<std::string> beside;
  std::vector<std::string> in_the_way;  ///< Like `beside`, but the file ".new" already existed and was
                                        ///< edited, too; nothing was written.
};

/// Writes `files` into the existing folder `workbook` and records their hashes in .warplings/laid_down. Never
/// overwrites a file that the student has edited.
///
/// Everything is written below .warplings/incoming first and then renamed into place, so that after an
/// interruption or on a full disk each file is whole, old or new, and the next call completes the work.
/// Hashes are recorded before files are replaced: otherwise a new version would look like a student's edit
/// after an interruption. `before_step` is called before each change on disk, so that a test can end the
/// process there.
Result<LayOutResult> LayOutWorkbook(
    const std::filesystem::path& workbook, const std::vector<WorkbookFile>& files, const std::string& version,
    const std::function<void()>& before_step = [] {});

/// Creates `folder` with a workbook in it. A folder that exists must be empty or a workbook, to which missing
/// files are added; anything else is a usage error.
Result<LayOutResult> MakeWorkbook(
    const std::filesystem::path& folder, const std::vector<WorkbookFile>& files, const std::string& version,
    const std::function<void()>& before_step = [] {});

}  // namespace warplings
