// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::merge {

/// For a function(a, a_length, b, b_length, output) that merges sorted ints.
std::vector<TimedShape> TimedMerges(bool rehearsal);

}  // namespace warplings::merge
