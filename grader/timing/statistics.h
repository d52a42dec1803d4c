// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grader/core/speed_result.h"

namespace warplings::timing {

/// The middle one, or the mean of the two in the middle; 0 for no values.
double Median(std::span<const double> values);

/// Standard deviation of the sample (n - 1) over its mean; 0 for fewer than two values.
double RelativeNoise(std::span<const double> values);

/// RelativeNoise over the root of n: how well the mean is known.
double RelativeStandardError(std::span<const double> values);

/// True when the noise does not become clearer with more samples: over the last quarter of them, and at least
/// the last five, its estimate changed by less than a tenth. nvbench ends a measurement by a like rule.
bool NoiseHasSettled(std::span<const double> values);

/// Times of two programs on one shape.
struct TimePair {
  std::vector<double> slow;  ///< Numerator: the baseline's.
  std::vector<double> fast;  ///< Denominator: the submission's.
};

/// Geometric mean over the shapes of median(slow) / median(fast), with its 95 % interval by the percentile
/// bootstrap (B. Efron, R. Tibshirani: An Introduction to the Bootstrap, section 13.3): all samples are drawn
/// anew, with replacement, 2000 times. The same samples and seed give the same interval on every machine.
Interval Speedup(std::span<const TimePair> shapes, std::uint64_t seed);

/// False where the interval holds 1.00 or rounds to it: then nobody can tell which one is faster.
bool CanTell(const Interval& speedup);

}  // namespace warplings::timing
