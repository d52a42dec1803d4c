// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/speed_result.h"

namespace warplings::timing {

/// The share of an exercise's points for speed that a speedup earns, both measured on the same card in the
/// same run; never by an absolute time.
///
/// All of them where the interval reaches 90 % of the reference solution's speedup and the submission is not
/// measurably slower than the baseline; none where it is; in proportion between a speedup of 1 and those 90
/// %.
double SpeedShare(const Interval& speedup, const Interval& reference_speedup);

}  // namespace warplings::timing
