// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/chosen_exercise.h"

#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {

Result<const Exercise*> ChosenExercise(const Workbook& workbook, const Progress& progress,
                                       const WorkbookHistory& history, const std::string& name,
                                       AfterPass after_pass) {
  if (!name.empty()) {
    const auto found = SelectTyped(workbook, name);
    if (!found) return found.error();
    if (found->size() != 1) {
      return UsageError(say::is_a_chapter(name), say::name_one_exercise_such_as(found->front()->id));
    }
    return found->front();
  }
  if (const auto last = SelectExercises(workbook, history.last_checked);
      last && last->size() == 1 &&
      (after_pass == AfterPass::kStay || StateOf(*last->front(), progress) != ExerciseState::kPassed)) {
    return last->front();
  }
  const Exercise* next = NextUnsolved(workbook, progress, history.last_checked);
  if (next != nullptr) return next;
  return UsageError(say::all_have_passed(), say::name_exercise_you_mean());
}

}  // namespace warplings
