// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/speed_measurement.h"

namespace warplings {

/// Estimates the submission's speedup over the baseline on the first of the shapes, by the model of
/// grader/timing/estimate.h, for the card that the virtual device stands in for. Both programs run only a few
/// blocks of each launch on the virtual device. If no estimate is possible, `reason` says why; this is not an
/// error.
SpeedResult EstimateSpeed(const SpeedOrder& order, const std::vector<TimedShape>& shapes);

}  // namespace warplings
