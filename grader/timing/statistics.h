// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grader/core/speed_result.h"

namespace warplings::timing {

/// The middle value, or the mean of the two middle values; 0 for no values.
double Median(std::span<const double> values);

/// The mean without the smallest and the largest tenth of the values, but without at least one at each end if
/// there are three or more; 0 for no values. The times of a short kernel have two peaks a few per cent apart:
/// their median jumps between these, and their mean is distorted by a single disturbed run.
double TrimmedMean(std::span<const double> values);

/// Standard error of the trimmed mean divided by that mean, from the winsorised variance (J. Tukey, D.
/// McLaughlin: Less vulnerable confidence and significance procedures, Sankhya A 25, 1963); 0 for fewer than
/// two values.
double RelativeStandardError(std::span<const double> values);

/// Times of two programs on one shape, in seconds.
struct TimePair {
  std::vector<double> slow;  ///< Numerator of the speedup: the baseline's times.
  std::vector<double> fast;  ///< Denominator: the submission's times.
};

/// Geometric mean over the shapes of TrimmedMean(slow) / TrimmedMean(fast), with its 95 % interval by the
/// percentile bootstrap (B. Efron, R. Tibshirani: An Introduction to the Bootstrap, section 13.3): the
/// samples are resampled with replacement 2000 times. The interval is widened for an error that more runs do
/// not reduce: each process has a small offset of its own, 0.1 us (kBetweenProcesses). The same samples and
/// seed give the same interval on every machine.
Interval Speedup(std::span<const TimePair> shapes, std::uint64_t seed);

/// False if the interval contains 1.00 or rounds to it, so that it is unknown which program is faster.
bool CanTell(const Interval& speedup);

}  // namespace warplings::timing
