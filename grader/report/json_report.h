// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// The machine-readable report (docs/result.schema.json): {"schema_version": 1, "results": [...]}, with one
/// result per exercise in the order in which they were checked.
std::string JsonReport(const std::vector<ExerciseResult>& results);

}  // namespace warplings
