// SPDX-License-Identifier: Apache-2.0
#include "reference/convolution.h"

#include <algorithm>
#include <cmath>

namespace warplings::reference {

Bounded Convolution(std::span<const float> input, std::span<const float> filter, const MatrixShape& shape,
                    std::size_t radius) {
  const std::size_t width = 2 * radius + 1;
  const double relative = Gamma(width * width + 4, 0x1p-24);
  Bounded output;
  output.value.resize(shape.Elements());
  output.bound.resize(shape.Elements());
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const double coefficient = static_cast<double>(filter[i * width + j]);
      // Row r + i - radius is inside the matrix, and so is column c + j - radius.
      const std::size_t row_end =
          std::min(shape.rows, shape.rows + radius - std::min(i, shape.rows + radius));
      const std::size_t column_end =
          std::min(shape.columns, shape.columns + radius - std::min(j, shape.columns + radius));
      for (std::size_t r = radius - std::min(i, radius); r < row_end; ++r) {
        for (std::size_t c = radius - std::min(j, radius); c < column_end; ++c) {
          const std::size_t from = (r + i - radius) * shape.columns + c + j - radius;
          const double product = coefficient * static_cast<double>(input[from]);
          output.value[r * shape.columns + c] += product;
          output.bound[r * shape.columns + c] += relative * std::fabs(product);
        }
      }
    }
  }
  return output;
}

}  // namespace warplings::reference
