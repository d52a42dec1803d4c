// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/suites/common/matmul_call.h"
#include "tests/suites/common/timed_matmul.h"

namespace warplings::rect_matmul {

/// For a function(M, N, P, j, k, l).
std::vector<TimedShape> TimedRectangles(bool rehearsal, MatrixOrder m_order);

}  // namespace warplings::rect_matmul
