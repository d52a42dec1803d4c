// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings::report_test {

/// Test data: a failed run with one of everything that a report can show.
ExerciseResult MadeUpResult();

/// Test data: a measured speed with two shapes, a reference and points.
SpeedResult MadeUpSpeed();
/// Test data: a speed that is estimated, not measured.
SpeedResult MadeUpEstimate();

}  // namespace warplings::report_test
