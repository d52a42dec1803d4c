// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/pipeline/progress.h"
#include "grader/pipeline/workbook_history.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {

/// The exercise that a verb applies to: the named one, otherwise the one that was checked last if it has not
/// passed, otherwise the next unsolved one. It is a usage error to name a chapter, or to name nothing if
/// everything has passed.
Result<const Exercise*> ChosenExercise(const Workbook& workbook, const Progress& progress,
                                       const WorkbookHistory& history, const std::string& name);

}  // namespace warplings
