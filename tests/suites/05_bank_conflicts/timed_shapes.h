// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::bank_conflicts {

/// For a function(X, Y, rows, columns) that transposes; every element of Y is compared, bit for bit.
std::vector<TimedShape> TimedTranspositions(bool rehearsal);

/// For a function(X, sums, n) that adds up segments; every sum is compared, and is exact in fp32.
std::vector<TimedShape> TimedSegmentSums(bool rehearsal);

}  // namespace warplings::bank_conflicts
