// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "grader/cli/clangd_files.h"
#include "grader/cli/command.h"
#include "grader/cli/workbook_command.h"
#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/lay_out.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUpdateFooter =
    "Brings the exercises, starters and headers of this version of warplings into your workbook. A file\n"
    "that you have edited keeps your changes; the new version is written beside it, as FILE.new.\n"
    "\n"
    "Example:\n"
    "  cd ~/cuda && warplings update\n"
    "\n"
    "Exit status: 0 done; 2 this folder is not in a workbook, or it cannot be written to.";

void Print(const LayOutResult& done, const fs::path& workbook) {
  const auto shown = [&](const std::string& path) { return DisplayPath(workbook / path); };
  for (const std::string& path : done.added) PrintLine(say::file_is_new(shown(path)));
  for (const std::string& path : done.replaced) PrintLine(say::file_is_updated(shown(path)));
  for (const std::string& path : done.beside) {
    PrintLine(say::file_is_yours(shown(path), fs::path(path).filename().string()));
  }
  for (const std::string& path : done.in_the_way) {
    PrintLine(say::both_files_are_yours(shown(path), fs::path(path).filename().string()));
  }
  const std::size_t changes =
      done.added.size() + done.replaced.size() + done.beside.size() + done.in_the_way.size();
  if (changes == 0) PrintLine(say::up_to_date(ProgramVersion()));
}

int Update(const fs::path& folder) {
  const auto workbook = FindStudentWorkbook(folder.empty() ? fs::path(".") : folder);
  if (!workbook) {
    return ReportError(
        UsageError(folder.empty() ? say::folder_in_no_workbook() : say::in_no_workbook(folder.string()),
                   say::go_to_made_folder()));
  }
  const fs::path tree = ThisLayout().root;
  const Result<Workbook> chapters = LoadWorkbook(tree);
  if (!chapters) return ReportError(chapters.error());
  auto files = FilesOfWorkbook(tree, *chapters, CommandInWorkbook(*workbook));
  if (!files) return ReportError(files.error());
  std::ranges::move(FilesForClangd(fs::weakly_canonical(*workbook), *chapters), std::back_inserter(*files));
  const auto done = LayOutWorkbook(*workbook, *files, ProgramVersion());
  if (!done) return ReportError(done.error());
  Print(*done, *workbook);
  return kExitPassed;
}

}  // namespace

Command MakeUpdateCommand() {
  auto folder = std::make_shared<fs::path>();
  std::vector<Option> described = {
      WorkbookOption(*folder, "Workbook to update; default: the one that you are in")};
  return {"update", "Bring new exercises and starters into your workbook", std::move(described),
          kUpdateFooter, [folder] { return Update(*folder); }};
}

}  // namespace warplings
