// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/chapters/common/matmul_call.h"
#include "tests/chapters/common/timed_matmul.h"

namespace warplings::rect_matmul {

/// For a function(M, N, P, j, k, l).
std::vector<TimedShape> TimedRectangles(bool rehearsal, MatrixOrder m_order);

}  // namespace warplings::rect_matmul
