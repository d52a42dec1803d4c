// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "grader/cli/command.h"
#include "grader/cli/next_steps.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kNextFooter = "Example:\n  warplings next";

int Next(const Layout& layout) {
  if (const Status mine = NeedWorkbook(layout.root); !mine) return ReportError(mine.error());
  const Result<Workbook> workbook = LoadWorkbook(layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const std::size_t columns = DetectTerminalStyle(STDOUT_FILENO).columns;
  std::fputs(WhatComesNext(*workbook, LoadProgress(ProgressFile()), layout, columns).c_str(), stdout);
  return kExitPassed;
}

}  // namespace

Command MakeNextCommand() {
  auto layout = std::make_shared<Layout>(LayoutOfCurrentWorkbook());
  return {"next",
          "Say which exercise comes next, and where its file and handout are",
          {WorkbookOption(layout->root)},
          kNextFooter,
          [layout] { return Next(*layout); }};
}

}  // namespace warplings
