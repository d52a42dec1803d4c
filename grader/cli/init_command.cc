// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "grader/base/text.h"
#include "grader/cli/clangd_files.h"
#include "grader/cli/command.h"
#include "grader/cli/workbook_command.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/lay_out.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInitFooter =
    "Makes a workbook: the exercises' files, in a folder that is new or empty. In it and in its folders\n"
    "`warplings check` and the other commands work on your files. If DIR is already a workbook, only\n"
    "missing files are added.\n"
    "\n"
    "Example:\n"
    "  warplings init ~/cuda && cd ~/cuda && warplings check 1\n"
    "\n"
    "Exit status: 0 done; 2 DIR cannot be used or written to.";

int Init(const fs::path& folder) {
  const fs::path tree = ThisLayout().root;
  const Result<Workbook> chapters = LoadWorkbook(tree);
  if (!chapters) return ReportError(chapters.error());
  const std::string command = CommandInWorkbook(folder);
  auto files = FilesOfWorkbook(tree, *chapters, command);
  if (!files) return ReportError(files.error());
  std::ranges::move(FilesForClangd(fs::weakly_canonical(fs::absolute(folder)), *chapters),
                    std::back_inserter(*files));
  const bool is_there = IsStudentWorkbook(folder);
  const auto made = MakeWorkbook(folder, *files, ProgramVersion());
  if (!made) return ReportError(made.error());
  if (is_there) {
    PrintLine(say::is_workbook_already(DisplayPath(folder), say::Count(made->added.size(), "file")));
    return kExitPassed;
  }
  std::size_t exercises = 0;
  for (const Chapter& chapter : chapters->chapters) exercises += chapter.exercises.size();
  PrintLine(say::made_workbook(DisplayPath(folder), say::Count(exercises, "exercise"),
                               say::Count(chapters->chapters.size(), "chapter")));
  std::puts("");
  PrintLine(say::next_is("cd " + DisplayPath(folder) + " && " + command + " check 1"));
  return kExitPassed;
}

}  // namespace

Command MakeInitCommand() {
  auto folder = std::make_shared<fs::path>();
  std::vector<Option> described = {
      {.name = "DIR", .target = folder.get(), .help = "Folder for the workbook", .required = true}};
  return {"init", "Make a workbook of your own in a folder", std::move(described), kInitFooter,
          [folder] { return Init(*folder); }};
}

}  // namespace warplings
