// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "grader/cli/command.h"
#include "grader/cli/open_page.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBuiltHandoutsFooter =
    "Shows where the handouts of this student edition are.\n"
    "\n"
    "Examples:\n"
    "  warplings handouts                 prints where the index is\n"
    "  warplings handouts --open          opens it in a browser\n"
    "\n"
    "Exit status: 0 shown; 2 this edition has no handouts.";

struct BuiltHandoutsOptions {
  bool open = false;
};

int ShowHandouts(const BuiltHandoutsOptions& options) {
  const fs::path index = HandoutPageToRead(LayoutOfCurrentWorkbook(), "index.html");
  std::error_code fault;
  if (!fs::exists(index, fault))
    return ReportError(UsageError(say::edition_without_handouts(), say::ask_instructor()));
  std::printf("%s\n", DisplayPath(index).c_str());
  if (!options.open) return kExitPassed;
  OpenPage(index.string());
  return kExitPassed;
}

}  // namespace

Command MakeBuiltHandoutsCommand() {
  auto options = std::make_shared<BuiltHandoutsOptions>();
  std::vector<Option> described = {{"--open", &options->open, "Open the index in a browser"}};
  return {"handouts", "Show where the chapters' handouts are", std::move(described), kBuiltHandoutsFooter,
          [options] { return ShowHandouts(*options); }};
}

}  // namespace warplings
