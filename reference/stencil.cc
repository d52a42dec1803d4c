// SPDX-License-Identifier: Apache-2.0
#include "reference/stencil.h"

#include <cmath>

namespace warplings::reference {

Bounded Stencil(std::span<const float> input, const Grid& grid, const Factors& factors) {
  Bounded output;
  output.value.assign(input.begin(), input.end());
  output.bound.resize(input.size());
  const double relative = Gamma(16, 0x1p-24);
  const double centre = factors.centre, neighbour = factors.neighbour;
  const std::size_t row = grid.width, plane = grid.width * grid.height;
  for (std::size_t z = 1; z + 1 < grid.depth; ++z) {
    for (std::size_t y = 1; y + 1 < grid.height; ++y) {
      for (std::size_t x = 1; x + 1 < grid.width; ++x) {
        const std::size_t i = grid.Index(x, y, z);
        double sum = 0, magnitude = 0;
        for (const std::size_t n : {i - 1, i + 1, i - row, i + row, i - plane, i + plane}) {
          sum += static_cast<double>(input[n]);
          magnitude += std::fabs(static_cast<double>(input[n]));
        }
        const double own = static_cast<double>(input[i]);
        output.value[i] = centre * own + neighbour * sum;
        output.bound[i] = relative * (std::fabs(centre * own) + std::fabs(neighbour) * magnitude);
      }
    }
  }
  return output;
}

}  // namespace warplings::reference
