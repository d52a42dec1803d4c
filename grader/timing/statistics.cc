// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace warplings::timing {
namespace {

constexpr std::size_t kReplicates = 2000;
constexpr double kTail = 0.025;  // On either side of a 95 % interval.

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double MedianInPlace(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// mt19937_64 is the same everywhere; the distributions of <random> are not. Scaled like this, 32 random bits
/// favour some indices by at most n / 2^32.
double MedianOfRedrawn(std::span<const double> values, std::mt19937_64& random,
                       std::vector<double>& scratch) {
  scratch.resize(values.size());
  for (double& each : scratch) each = values[((random() >> 32) * values.size()) >> 32];
  return MedianInPlace(scratch);
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
  std::vector<double> copy(values.begin(), values.end());
  return MedianInPlace(copy);
}

double RelativeNoise(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean;
}

double RelativeStandardError(std::span<const double> values) {
  if (values.empty()) return 0;
  return RelativeNoise(values) / std::sqrt(static_cast<double>(values.size()));
}

bool NoiseHasSettled(std::span<const double> values) {
  constexpr std::size_t kLeast = 5;
  constexpr double kChange = 0.1;
  const std::size_t window = std::max(kLeast, values.size() / 4);
  if (values.size() < 2 * window) return false;
  double least = RelativeNoise(values), most = least;
  for (std::size_t n = values.size() - window; n < values.size(); ++n) {
    const double noise = RelativeNoise(values.first(n));
    least = std::min(least, noise);
    most = std::max(most, noise);
  }
  return most - least <= kChange * most;
}

Interval Speedup(std::span<const TimePair> shapes, std::uint64_t seed) {
  if (shapes.empty()) return {};
  const double count = static_cast<double>(shapes.size());
  double logarithm = 0;
  for (const TimePair& shape : shapes) {
    if (shape.slow.empty() || shape.fast.empty()) return {};
    logarithm += std::log(Median(shape.slow) / Median(shape.fast));
  }
  std::mt19937_64 random(seed);
  std::vector<double> scratch, replicates(kReplicates);
  for (double& replicate : replicates) {
    double sum = 0;
    for (const TimePair& shape : shapes) {
      const double slow = MedianOfRedrawn(shape.slow, random, scratch);
      sum += std::log(slow / MedianOfRedrawn(shape.fast, random, scratch));
    }
    replicate = std::exp(sum / count);
  }
  std::ranges::sort(replicates);
  return {std::exp(logarithm / count), Quantile(replicates, kTail), Quantile(replicates, 1 - kTail)};
}

bool CanTell(const Interval& speedup) {
  constexpr double kRounds = 0.005;  // To 1.00, with two decimals.
  return speedup.low > 1 + kRounds || speedup.high < 1 - kRounds ||
         ((speedup.low > 1 || speedup.high < 1) && std::abs(speedup.value - 1) >= kRounds);
}

}  // namespace warplings::timing
