// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "reference/matmul.h"

namespace warplings::reference {

/// Points of three dimensions, stored row by row and plane by plane.
struct Grid {
  std::size_t width = 0, height = 0, depth = 0;

  std::size_t Points() const { return width * height * depth; }
  std::size_t Index(std::size_t x, std::size_t y, std::size_t z) const {
    return (z * height + y) * width + x;
  }
  bool IsOnFace(std::size_t x, std::size_t y, std::size_t z) const {
    return x == 0 || x + 1 == width || y == 0 || y + 1 == height || z == 0 || z + 1 == depth;
  }
};

/// The factors of a point and of each of its six neighbours.
struct Factors {
  float centre = 0, neighbour = 0;
};

/// centre x input + neighbour x (sum of the inputs of the six neighbours); on a face, the input.
///
/// The bound: each of the seven terms is multiplied once and goes through at most six additions, whatever
/// their order and whether the factor comes before or after. Gamma(16) leaves room for factors that are
/// computed.
Bounded Stencil(std::span<const float> input, const Grid& grid, const Factors& factors);

}  // namespace warplings::reference
