// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/cli/chosen_exercise.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kHintFooter =
    "Each call shows the next hint, and each hint tells more than the one before. After a check whose report "
    "named a\n"
    "misconception, the hint that says most about it comes first. Without EXERCISE: the one checked last.\n"
    "\n"
    "Examples:\n"
    "  warplings hint                     the next hint\n"
    "  warplings hint tiled_matmul        for this exercise\n"
    "  warplings hint --shown             those that you have seen, once more";

struct HintOptions {
  std::string exercise;
  bool shown = false;
  std::filesystem::path root = CurrentWorkbook();
};

enum class HintOrder {
  kInOrder,
  kFits,   ///< Shown before others because of what the last check found.
  kBefore  ///< A later one was shown already, for that reason.
};

void Print(const Exercise& exercise, std::size_t number, HintOrder place) {
  const auto& row = place == HintOrder::kBefore ? say::hint_before : say::hint_of;
  const std::size_t all = exercise.hints.size();
  PrintLine(place == HintOrder::kFits ? say::hint_that_fits(exercise.id, number + 1, all)
                                      : row(exercise.id, number + 1, all));
  const std::size_t columns = DetectTerminalStyle(STDOUT_FILENO).columns;
  for (const std::string& line : WrappedLines(Printable(JoinLines(exercise.hints[number])), columns, 2)) {
    std::printf("%s\n", line.c_str());
  }
}

int ShowAgain(const Exercise& exercise, const ExerciseHistory& history) {
  if (history.hints.empty()) PrintLine(say::no_hint_yet(exercise.id));
  for (const std::size_t number : history.hints) {
    if (number < exercise.hints.size()) Print(exercise, number, HintOrder::kInOrder);
  }
  return kExitPassed;
}

int Hint(const HintOptions& options) {
  if (const Status mine = NeedWorkbook(options.root); !mine) return ReportError(mine.error());
  const Result<Workbook> workbook = LoadWorkbook(options.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  // Hints are chosen by their English words, and shown in the user's language.
  const Result<Workbook> english = LoadWorkbook(options.root);
  if (!english) return ReportError(english.error());
  const std::filesystem::path file = WorkbookHistoryFile(options.root);
  WorkbookHistory history = LoadWorkbookHistory(file);
  const auto chosen = ChosenExercise(*workbook, LoadProgress(ProgressFile()), history, options.exercise);
  if (!chosen) return ReportError(chosen.error());
  const Exercise& exercise = **chosen;
  ExerciseHistory& mine = history.exercises[FullName(exercise)];
  if (options.shown) return ShowAgain(exercise, mine);

  const auto same = SelectExercises(*english, FullName(exercise));
  const auto number = NextHint(*same->front(), mine);
  if (!number || *number >= exercise.hints.size()) {
    PrintLine(say::seen_all_hints(exercise.id, exercise.hints.size(), TypedName()));
    return kExitPassed;
  }
  std::size_t first_unseen = 0;
  while (mine.hints.contains(first_unseen)) ++first_unseen;
  const bool is_late = !mine.hints.empty() && *mine.hints.rbegin() > *number;
  Print(exercise, *number,
        *number != first_unseen ? HintOrder::kFits
        : is_late               ? HintOrder::kBefore
                                : HintOrder::kInOrder);
  mine.hints.insert(*number);
  mine.hinted_for = mine.misconception;
  const Status saved = SaveWorkbookHistory(file, history);
  if (!saved) Warn(say::not_remembered(saved.error().message));
  const std::size_t left = exercise.hints.size() - mine.hints.size();
  if (left > 0) PrintLine(say::hints_left(say::Count(left, "more hint"), TypedName()));
  return kExitPassed;
}

}  // namespace

Command MakeHintCommand() {
  auto options = std::make_shared<HintOptions>();
  std::vector<Option> described = {
      {"EXERCISE", &options->exercise, "Default: the exercise that was checked last"},
      {"--shown", &options->shown, "Show again the hints that you have seen"},
      WorkbookOption(options->root)};
  return {"hint", "Show the next hint for an exercise", std::move(described), kHintFooter,
          [options] { return Hint(*options); }};
}

}  // namespace warplings
