// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include "grader/base/catalogue.h"
#include "grader/cli/ascii_output.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kSolutionFooter =
    "Before your own file has passed it asks whether you mean it; where there is no terminal to ask on, "
    "--yes is needed.\n"
    "\n"
    "Examples:\n"
    "  warplings solution tiled_matmul\n"
    "  warplings solution tiled_matmul --yes > theirs.cu";

struct SolutionOptions {
  std::string exercise;
  bool yes = false;
  std::filesystem::path root = CurrentWorkbook();
};

/// A plain yes; Enter alone, or the end of the input, is none.
bool MeansIt(const Exercise& exercise) {
  if (::isatty(STDIN_FILENO) == 0) return false;
  std::fprintf(stderr, "%s ", Words(say::show_solution_all_the_same(exercise.id, TypedName())).c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "yes" || answer == "y";
}

int Solution(const SolutionOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const auto found = SelectExercises(*workbook, options.exercise);
  if (!found) return ReportError(found.error());
  if (found->size() != 1) {
    return ReportError(UsageError(say::is_a_chapter(options.exercise), say::name_one_exercise_of_it()));
  }
  const Exercise& exercise = *found->front();
  if (exercise.solution.empty()) {
    return ReportError(
        UsageError(say::no_solution_here(FullName(exercise)), say::edition_holds_none(exercise.id)));
  }
  const bool passed = StateOf(exercise, LoadProgress(ProgressFile())) != ExerciseState::kOpen;
  if (!passed && !options.yes && !MeansIt(exercise)) {
    return ReportError(UsageError(say::solution_not_shown(exercise.id), say::hint_tells_less(exercise.id)));
  }
  const Result<std::string> text = ReadSubmission(exercise.solution);
  if (!text) return ReportError(text.error());
  PutAsItIs(*text);
  return kExitPassed;
}

}  // namespace

Command MakeSolutionCommand() {
  auto options = std::make_shared<SolutionOptions>();
  std::vector<Option> described = {
      {.name = "EXERCISE", .target = &options->exercise, .help = "Whose solution", .required = true},
      {"--yes", &options->yes, "Show it even if the exercise has not passed"},
      WorkbookOption(options->root, "Folder that holds chapters/ and solutions/; default: this workbook")};
  return {"solution", "Print the solution of an exercise that has passed", std::move(described),
          kSolutionFooter, [options] { return Solution(*options); }};
}

}  // namespace warplings
