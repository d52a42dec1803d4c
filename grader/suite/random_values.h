// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warplings {

/// Numbers from a seed, the same on every machine and with every C++ library (the distributions of
/// <random> are not). The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
/// number generators, OOPSLA 2014): every seed is a good one.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next();
  /// 0 to count - 1; count is at least 1.
  std::uint64_t Below(std::uint64_t count);
  /// In [0, 1), a multiple of 2^-24, so that it is exact as a float.
  float Unit();

 private:
  std::uint64_t state_;
};

/// The seed of one test: depends on the run's seed and the test's name only, so that a test sees the
/// same inputs whether or not others ran before it.
std::uint64_t SeedOfTest(std::uint64_t run_seed, std::string_view test);

/// 1/16 to 1 in magnitude, random signs: never 0, no two rows alike, sums that cancel.
std::vector<float> SignedValues(RandomValues& random, std::size_t count);

/// Magnitudes from 2^-12 to 2^12, random signs.
std::vector<float> WideValues(RandomValues& random, std::size_t count);

/// The integers first, first + 1, … shuffled, with random signs: results are exact, and easy to follow by
/// hand.
std::vector<float> DistinctIntegers(RandomValues& random, std::size_t count, int first);

}  // namespace warplings
