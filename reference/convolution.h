// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "reference/matmul.h"

namespace warplings::reference {

/// A matrix that is stored row by row.
struct MatrixShape {
  std::size_t rows = 0, columns = 0;

  std::size_t Elements() const { return rows * columns; }
};

/// Each element of the result is the sum of filter(i, j) x input(r + i - radius, c + j - radius). The filter
/// has 2 x radius + 1 rows and columns. Elements outside the matrix count as 0.
///
/// The bound: each of the products is rounded once and goes through as many additions as there are other
/// products, whatever their order. Gamma's first argument leaves room for a few more, as of zeros.
Bounded Convolution(std::span<const float> input, std::span<const float> filter, const MatrixShape& shape,
                    std::size_t radius);

}  // namespace warplings::reference
