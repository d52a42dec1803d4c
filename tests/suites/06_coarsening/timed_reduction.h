// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::coarsening {

/// For a function(input, output, length) that adds everything up; the sum is exact in fp32.
std::vector<TimedShape> TimedReductions(bool rehearsal);

}  // namespace warplings::coarsening
