// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/speed_measurement.h"

namespace warplings {

/// The submission's speedup over the baseline on the first of the shapes, as the model of
/// grader/timing/estimate.h has it for the card that the virtual device stands in for. Both programs run a
/// few blocks of each launch there. `reason` says why, where there is none: no estimate is nobody's fault.
SpeedResult EstimateSpeed(const SpeedOrder& order, const std::vector<TimedShape>& shapes);

}  // namespace warplings
