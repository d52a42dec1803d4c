// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/suite/timed_shape.h"
#include "reference/product_check.h"

namespace warplings {

/// A product to be timed, P = M x N with M rows x inner and N inner x columns. `call` gets M, N and P.
TimedShape TimedMatmul(Message title, int rows, int inner, int columns,
                       std::function<CallOutcome(Worker&, DevicePointer, DevicePointer, DevicePointer)> call,
                       reference::Order m_order = reference::Order::kRowByRow);

/// Makes the call of a function(M, N, P, width) and of its like.
using SquareMatmulCall =
    std::function<CallOutcome(Worker&, DevicePointer m, DevicePointer n, DevicePointer p, int width)>;

/// Shapes for a function of square matrices: two widths, 1024 and 2048; in a rehearsal 33 and 48.
std::vector<TimedShape> TimedSquareMatmuls(bool rehearsal, const SquareMatmulCall& call,
                                           std::vector<int> widths = {1024, 2048});

}  // namespace warplings
