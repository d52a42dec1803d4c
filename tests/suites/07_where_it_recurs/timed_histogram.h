// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::histogram {

/// Elements that are spread evenly over 256 bins, over 2048 bins, and half of them in one of 256.
std::vector<TimedShape> TimedHistograms(bool rehearsal);

}  // namespace warplings::histogram
