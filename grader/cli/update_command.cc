// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "grader/cli/clangd_files.h"
#include "grader/cli/command.h"
#include "grader/core/layout.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/lay_out.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUpdateFooter =
    "Brings the exercises, starters and headers of this version of warplings into the workbook that you are "
    "in.\n"
    "A file that you have edited stays as it is; a new version of it is put beside it, as FILE.new.\n"
    "\n"
    "Example:\n"
    "  cd ~/cuda && warplings update\n"
    "\n"
    "Exit status: 0 done, 2 this is no workbook, or it cannot be written.";

void Print(const LayOutResult& done, const fs::path& workbook) {
  const auto shown = [&](const std::string& path) { return DisplayPath(workbook / path); };
  for (const std::string& path : done.added) std::printf("new      %s\n", shown(path).c_str());
  for (const std::string& path : done.replaced) std::printf("updated  %s\n", shown(path).c_str());
  for (const std::string& path : done.beside) {
    std::printf("yours    %s is as you left it; the new version is %s.new\n", shown(path).c_str(),
                fs::path(path).filename().c_str());
  }
  for (const std::string& path : done.in_the_way) {
    std::printf(
        "yours    %s and %s.new are as you left them; to get the new version, move %s.new away and run "
        "this again\n",
        shown(path).c_str(), fs::path(path).filename().c_str(), fs::path(path).filename().c_str());
  }
  const std::size_t changes =
      done.added.size() + done.replaced.size() + done.beside.size() + done.in_the_way.size();
  if (changes == 0) std::printf("Everything is up to date with warplings %s.\n", ProgramVersion().c_str());
}

int Update(const fs::path& folder) {
  const auto workbook = FindStudentWorkbook(folder.empty() ? fs::path(".") : folder);
  if (!workbook) {
    return ReportError(
        UsageError((folder.empty() ? "this folder" : folder.string()) + " lies in no workbook",
                   "Go to the folder that `warplings init` made, or make one: warplings init DIR"));
  }
  const fs::path tree = ThisLayout().root;
  const Result<Workbook> chapters = LoadWorkbook(tree);
  if (!chapters) return ReportError(chapters.error());
  auto files = FilesOfWorkbook(tree, *chapters);
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
  std::vector<Option> described = {WorkbookOption(*folder, "A workbook; default: the one that you are in")};
  return {"update", "Bring new exercises and starters into your workbook", std::move(described),
          kUpdateFooter, [folder] { return Update(*folder); }};
}

}  // namespace warplings
