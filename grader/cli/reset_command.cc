// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "grader/cli/command.h"
#include "grader/cli/workbook_command.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/original_file.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kResetFooter =
    "Puts the exercise's file back as it was handed out, and its answers file where it has one. What you "
    "wrote is kept\n"
    "beside it, under a name that is printed. In a workbook that init made, the\n"
    "original is the program's own; elsewhere it comes out of git.\n"
    "\n"
    "Example:\n"
    "  warplings reset tiled_matmul\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage, or no original was found (nothing was changed).";

struct ResetOptions {
  std::string exercise;
  std::filesystem::path root = CurrentWorkbook();
};

int ResetFile(const std::filesystem::path& root, const std::filesystem::path& file) {
  const Result<std::string> original = HandedOutText(root, file);
  if (!original) return ReportError(original.error());
  const Result<std::string> present = ReadSubmission(file);
  if (present && *present == *original) {
    PrintLine(say::is_as_handed_out(DisplayPath(file)));
    return kExitPassed;
  }
  const Result<std::string> backup = ReplaceKeepingBackup(file, *original);
  if (!backup) return ReportError(backup.error());
  PrintLine(backup->empty() ? say::is_as_handed_out_again(DisplayPath(file))
                            : say::is_as_handed_out_yours_is(DisplayPath(file), DisplayPath(*backup)));
  return kExitPassed;
}

int Reset(const ResetOptions& options) {
  if (const Status mine = NeedWorkbook(options.root); !mine) return ReportError(mine.error());
  const Result<Workbook> workbook = LoadWorkbook(options.root);
  if (!workbook) return ReportError(workbook.error());
  const auto found = SelectExercises(*workbook, options.exercise);
  if (!found) return ReportError(found.error());
  if (found->size() != 1) {
    return ReportError(UsageError(say::is_a_chapter(options.exercise), say::name_one_exercise_of_it()));
  }
  const Exercise& exercise = *found->front();
  const int status = ResetFile(options.root, exercise.starter);
  if (status != kExitPassed || !exercise.has_answers) return status;
  std::filesystem::path answers = exercise.starter;
  return ResetFile(options.root, answers.replace_extension(".toml"));
}

}  // namespace

Command MakeResetCommand() {
  auto options = std::make_shared<ResetOptions>();
  std::vector<Option> described = {{.name = "EXERCISE",
                                    .target = &options->exercise,
                                    .help = "The exercise whose file is reset",
                                    .required = true},
                                   WorkbookOption(options->root)};
  return {"reset", "Reset an exercise's file, and keep yours under another name", std::move(described),
          kResetFooter, [options] { return Reset(*options); }};
}

}  // namespace warplings
