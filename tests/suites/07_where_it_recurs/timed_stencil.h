// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "grader/suite/timed_shape.h"

namespace warplings::stencil {

/// Points whose rows are a whole number of tiles, and points whose rows are not.
std::vector<TimedShape> TimedStencils(bool rehearsal);

}  // namespace warplings::stencil
