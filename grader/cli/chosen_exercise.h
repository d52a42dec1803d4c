// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/pipeline/progress.h"
#include "grader/pipeline/workbook_history.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {

/// Whether a verb applies to what has passed, too, if no exercise is named.
enum class AfterPass { kGoOn, kStay };

/// The exercise that a verb applies to: the named one, or whose name has this part, otherwise the one that
/// was checked last if it has not passed (with kStay: or has), otherwise the next unsolved one. It is a usage
/// error to name a chapter, or to name nothing if everything has passed.
Result<const Exercise*> ChosenExercise(const Workbook& workbook, const Progress& progress,
                                       const WorkbookHistory& history, const std::string& name,
                                       AfterPass after_pass = AfterPass::kGoOn);

}  // namespace warplings
