// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "grader/authoring/new_exercise.h"
#include "grader/cli/command.h"
#include "grader/messages/command_line.h"

namespace warplings {
namespace {

constexpr const char* kNewFooter =
    "Makes the files of a new exercise, for authors: starter, contract, solution, suite, three mutants\n"
    "and the entry in chapter.toml. They hold a small exercise that works. Replace it piece by piece, and\n"
    "run `warplings verify EXERCISE` after each.\n"
    "\n"
    "Examples:\n"
    "  warplings new 05_bank_conflicts/my_kernel\n"
    "  warplings new 07_streams/overlap              begins chapter 7\n"
    "\n"
    "Exit status: 0 done; 2 wrong usage, and nothing is written; 3 files could not be written.";

struct NewOptions {
  std::string name;
  Layout layout = ThisLayout();
};

int New(const NewOptions& options) {
  if (Status needed = NeedSourceTree("new"); !needed) return ReportError(needed.error());
  const auto files = PlanNewExercise(options.name, options.layout);
  if (!files) return ReportError(files.error());
  const Status written = WriteNewFiles(*files, options.layout);
  if (!written) return ReportError(written.error());
  for (const NewFile& file : *files) {
    std::printf("%s %s\n", file.append ? "extended" : "made    ", file.path.c_str());
  }
  std::puts("");
  PrintLine(say::next_is("warplings verify " + options.name));
  return kExitPassed;
}

}  // namespace

Command MakeNewCommand() {
  auto options = std::make_shared<NewOptions>();
  std::vector<Option> described = {{.name = "EXERCISE",
                                    .target = &options->name,
                                    .help = "Chapter and exercise: 05_bank_conflicts/my_kernel",
                                    .required = true},
                                   WorkbookOption(options->layout.root)};
  return {"new", TeachingHelp("new"), std::move(described), kNewFooter, [options] { return New(*options); }};
}

}  // namespace warplings
