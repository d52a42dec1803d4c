// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/speed_result.h"

namespace warplings::timing {

/// The share, 0 to 1, of an exercise's points for speed that a speedup earns. Both speedups must be measured
/// on the same card in the same run; absolute times are never used.
///
/// 1 if the interval reaches 90 % of the reference solution's speedup and the submission is not measurably
/// slower than the baseline; 0 if it is measurably slower; linear between a speedup of 1 and those 90 %.
double SpeedShare(const Interval& speedup, const Interval& reference_speedup);

}  // namespace warplings::timing
