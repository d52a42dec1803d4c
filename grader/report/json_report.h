// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// The report for programs, by docs/result.schema.json: {"schema_version": 1, "results": [...]}, one result
/// an exercise in the order in which they were checked.
std::string JsonReport(const std::vector<ExerciseResult>& results);

}  // namespace warplings
