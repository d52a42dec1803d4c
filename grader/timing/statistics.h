// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grader/core/speed_result.h"

namespace warplings::timing {

/// The middle one, or the mean of the two in the middle; 0 for no values.
double Median(std::span<const double> values);

/// The mean without the tenth of the values at either end, and without at least one there from three values
/// on; 0 for no values. Times of short kernels on a card have two peaks some per cent apart: their median
/// jumps from one to the other, their mean follows a single disturbed run.
double TrimmedMean(std::span<const double> values);

/// Standard error of the trimmed mean over it, from the winsorised variance (J. Tukey, D. McLaughlin: Less
/// vulnerable confidence and significance procedures, Sankhya A 25, 1963); 0 for fewer than two values.
double RelativeStandardError(std::span<const double> values);

/// Times of two programs on one shape.
struct TimePair {
  std::vector<double> slow;  ///< Numerator: the baseline's.
  std::vector<double> fast;  ///< Denominator: the submission's.
};

/// Geometric mean over the shapes of TrimmedMean(slow) / TrimmedMean(fast), with its 95 % interval by the
/// percentile bootstrap (B. Efron, R. Tibshirani: An Introduction to the Bootstrap, section 13.3): all
/// samples are drawn anew, with replacement, 2000 times. To that comes what no number of runs shows: each
/// process has its own small offset, 0.1 us (kBetweenProcesses). The same samples and seed give the same
/// interval on every machine.
Interval Speedup(std::span<const TimePair> shapes, std::uint64_t seed);

/// False where the interval holds 1.00 or rounds to it: then nobody can tell which one is faster.
bool CanTell(const Interval& speedup);

}  // namespace warplings::timing
