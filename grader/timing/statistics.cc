// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace warplings::timing {
namespace {

constexpr std::size_t kReplicates = 2000;
constexpr double kTail = 0.025;  // On either side of a 95 % interval.
constexpr double kStandardErrorsToIt = 1.96;

/// Seconds by which the time of a program differs from one process to the next (standard deviation), beyond
/// the scatter of its runs. On an H200, 0.05 to 0.1 us for kernels of 10 to 40 us, and no more for those of 3
/// ms.
constexpr double kBetweenProcesses = 0.1e-6;

/// How many values are left out at either end.
std::size_t TrimmedAtAnEnd(std::size_t count) {
  constexpr std::size_t kShare = 10;
  return count < 3 ? 0 : std::max<std::size_t>(1, count / kShare);
}

double TrimmedMeanInPlace(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto left_out = static_cast<std::ptrdiff_t>(TrimmedAtAnEnd(values.size()));
  const auto first = values.begin() + left_out, last = values.end() - left_out;
  std::nth_element(values.begin(), first, values.end());
  std::nth_element(first, last - 1, values.end());
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

/// mt19937_64 is the same everywhere; the distributions of <random> are not. Scaled like this, 32 random bits
/// favour some indices by at most n / 2^32.
double TrimmedMeanOfRedrawn(std::span<const double> values, std::mt19937_64& random,
                            std::vector<double>& scratch) {
  scratch.resize(values.size());
  for (double& each : scratch) each = values[((random() >> 32) * values.size()) >> 32];
  return TrimmedMeanInPlace(scratch);
}

double Square(double value) {
  return value * value;
}

/// Of the logarithm of a ratio of two processes' times.
double VarianceBetweenProcesses(double slow, double fast) {
  return Square(kBetweenProcesses / slow) + Square(kBetweenProcesses / fast);
}

/// An interval as the scatter of the runs gives it, with another, independent source of variance.
Interval Widened(const Interval& interval, double variance_of_logarithm) {
  const double more = kStandardErrorsToIt * std::sqrt(variance_of_logarithm);
  const double below = std::hypot(std::log(interval.value / interval.low), more);
  const double above = std::hypot(std::log(interval.high / interval.value), more);
  return {interval.value, interval.value * std::exp(-below), interval.value * std::exp(above)};
}

/// Linear between the two neighbours.
double Quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

double Median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return Quantile(sorted, 0.5);
}

double TrimmedMean(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return TrimmedMeanInPlace(copy);
}

double RelativeStandardError(std::span<const double> values) {
  if (values.size() < 2) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t left_out = TrimmedAtAnEnd(sorted.size());
  const double low = sorted[left_out], high = sorted[sorted.size() - 1 - left_out];
  for (double& value : sorted) value = std::clamp(value, low, high);
  const double count = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
  double squares = 0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  const double kept = 1 - 2 * static_cast<double>(left_out) / count;
  return std::sqrt(squares / (count - 1) / count) / kept / TrimmedMean(values);
}

Interval Speedup(std::span<const TimePair> shapes, std::uint64_t seed) {
  if (shapes.empty()) return {};
  const double count = static_cast<double>(shapes.size());
  double logarithm = 0, variance = 0;
  for (const TimePair& shape : shapes) {
    if (shape.slow.empty() || shape.fast.empty()) return {};
    const double slow = TrimmedMean(shape.slow), fast = TrimmedMean(shape.fast);
    logarithm += std::log(slow / fast);
    variance += VarianceBetweenProcesses(slow, fast);
  }
  std::mt19937_64 random(seed);
  std::vector<double> scratch, replicates(kReplicates);
  for (double& replicate : replicates) {
    double sum = 0;
    for (const TimePair& shape : shapes) {
      const double slow = TrimmedMeanOfRedrawn(shape.slow, random, scratch);
      sum += std::log(slow / TrimmedMeanOfRedrawn(shape.fast, random, scratch));
    }
    replicate = std::exp(sum / count);
  }
  std::ranges::sort(replicates);
  return Widened({std::exp(logarithm / count), Quantile(replicates, kTail), Quantile(replicates, 1 - kTail)},
                 variance / Square(count));
}

bool CanTell(const Interval& speedup) {
  constexpr double kRounds = 0.005;  // To 1.00, with two decimals.
  return speedup.low > 1 + kRounds || speedup.high < 1 - kRounds ||
         ((speedup.low > 1 || speedup.high < 1) && std::abs(speedup.value - 1) >= kRounds);
}

}  // namespace warplings::timing
