// SPDX-License-Identifier: Apache-2.0
#include "grader/core/round_points.h"

#include <cmath>

namespace warplings {

double RoundPoints(double points) {
  // 1.005 is 1.00499…: what is a half in decimals counts as one.
  constexpr double kNearlyAHalf = 1e-6;
  return std::copysign(std::floor(std::abs(points) * 100 + 0.5 + kNearlyAHalf) / 100, points) + 0.0;
}

}  // namespace warplings
