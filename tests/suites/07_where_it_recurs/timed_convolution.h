// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::convolution {

/// A matrix that is a whole number of tiles, and one that is not.
std::vector<TimedShape> TimedConvolutions(bool rehearsal);

}  // namespace warplings::convolution
