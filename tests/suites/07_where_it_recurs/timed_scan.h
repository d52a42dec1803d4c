// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::scan {

/// For a function(input, output, length) that scans ints.
std::vector<TimedShape> TimedScans(bool rehearsal);

}  // namespace warplings::scan
