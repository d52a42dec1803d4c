// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/command.h"
#include "grader/core/layout.h"
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
    "  warplings new 08_sparse_matrices/csr_matvec   begins chapter 8\n"
    "  warplings new --undo 05_bank_conflicts/my_kernel\n"
    "\n"
    "Exit status: 0 done; 1 --undo leaves what was changed or added since; 2 wrong usage, and nothing is "
    "written;\n"
    "3 files could not be written.";

struct NewOptions {
  std::string name;
  bool undo = false;
  Layout layout = ThisLayout();
};

int New(const NewOptions& options) {
  if (Status needed = NeedSourceTree("new"); !needed) return ReportError(needed.error());
  // The launcher runs the same script, and does not wait for a build.
  const std::string script = options.layout.NewExerciseScript();
  std::vector<std::string> words = {script, options.name, options.layout.root};
  if (options.undo) words.insert(words.begin() + 1, "--undo");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(script.c_str(), arguments.data());
  return ReportError(GraderError(say::cannot_start_other_program(script, std::strerror(errno))));
}

}  // namespace

Command MakeNewCommand() {
  auto options = std::make_shared<NewOptions>();
  std::vector<Option> described = {
      {.name = "EXERCISE",
       .target = &options->name,
       .help = "Chapter and exercise: 05_bank_conflicts/my_kernel",
       .required = true},
      {"--undo", &options->undo, "Delete what `new` wrote for it and nobody has changed since"},
      WorkbookOption(options->layout.root)};
  return {"new", TeachingHelp("new"), std::move(described), kNewFooter, [options] { return New(*options); }};
}

}  // namespace warplings
