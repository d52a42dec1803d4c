// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplings {

/// Rounds to the nearest multiple of 0.01, halves away from zero. All points are such multiples; their
/// floating-point sums are not exact.
double RoundPoints(double points);

}  // namespace warplings
