// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings::report_test {

/// A failed run with one of everything that a report can show; for the renderers' tests.
ExerciseResult MadeUpResult();

/// A measured speed: two shapes, a reference, points.
SpeedResult MadeUpSpeed();
/// Not measured, but estimated.
SpeedResult MadeUpEstimate();

}  // namespace warplings::report_test
