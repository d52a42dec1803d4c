// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/pipeline/desk_state.h"
#include "grader/pipeline/progress.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {

/// The one exercise that a verb is about: the named one, else the one that was checked last and has not
/// passed, else the next. A chapter is a usage error; so is no name where everything has passed.
Result<const Exercise*> ChosenExercise(const Workbook& workbook, const Progress& progress,
                                       const DeskState& desk, const std::string& name);

}  // namespace warplings
