// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/cli/command.h"
#include "grader/cli/next_steps.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kStatusFooter =
    "An exercise that has passed keeps its points, also after an edit.\n\n"
    "Example:\n"
    "  warplings status";

int ShowStatus(const Layout& layout) {
  if (const Status mine = NeedWorkbook(layout.root); !mine) return ReportError(mine.error());
  const Result<Workbook> workbook = LoadWorkbook(layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const Progress progress = LoadProgress(ProgressFile());
  const std::size_t columns = DetectTerminalStyle(STDOUT_FILENO).columns;
  Passed all;
  std::vector<std::vector<std::string>> rows = {{"", Translated("chapter"), Translated("passed")}};
  for (const Chapter& chapter : workbook->chapters) {
    const Passed passed = PassedOf(chapter, progress);
    rows.push_back({std::to_string(chapter.number), chapter.title, ProgressBar(passed)});
    all.exercises += passed.exercises;
    all.of += passed.of;
    all.points += passed.points;
    all.max_points += passed.max_points;
  }
  rows.push_back({"", Translated("all"), ProgressBar(all)});
  std::fputs(AlignWithin(rows, 0, columns).c_str(), stdout);
  std::puts("");
  std::fputs(WhatComesNext(*workbook, progress, layout, columns).c_str(), stdout);
  return kExitPassed;
}

}  // namespace

Command MakeStatusCommand() {
  auto layout = std::make_shared<Layout>(LayoutOfCurrentWorkbook());
  return {"status",
          "Show how far you are: exercises and points by chapter",
          {WorkbookOption(layout->root)},
          kStatusFooter,
          [layout] { return ShowStatus(*layout); }};
}

}  // namespace warplings
