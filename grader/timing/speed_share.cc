// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/speed_share.h"

#include <algorithm>

namespace warplings::timing {

double SpeedShare(const Interval& speedup, const Interval& reference_speedup) {
  constexpr double kEnough = 0.9;
  // A reference that is hardly ahead leaves no room between the two: then not to be slower is enough. On a
  // card where it is behind, nobody is asked for more than it does.
  const double ours = reference_speedup.value;
  const double wanted = std::max(std::min(1.0, ours), kEnough * ours);
  if (speedup.high >= wanted) return 1;
  if (speedup.value <= 1) return 0;
  return std::clamp((speedup.value - 1) / (wanted - 1), 0.0, 1.0);
}

}  // namespace warplings::timing
