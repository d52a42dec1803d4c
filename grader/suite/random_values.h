// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warplings {

/// Pseudo-random numbers that depend only on the seed: the same on every machine and with every C++ library,
/// unlike the distributions of <random>. The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, OOPSLA 2014), for which every seed is good.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next();
  /// An integer from 0 to count - 1; count must be at least 1.
  std::uint64_t Below(std::uint64_t count);
  /// A value in [0, 1), a multiple of 2^-24 and therefore exact as a float.
  float Unit();

 private:
  std::uint64_t state_;
};

/// The seed of one test. It depends only on the run's seed and the test's name, so that a test gets the same
/// inputs whether or not others ran before it.
std::uint64_t SeedOfTest(std::uint64_t run_seed, std::string_view test);

/// Values of 1/16 to 1 in magnitude with random signs: never 0, and sums of them partly cancel.
std::vector<float> SignedValues(RandomValues& random, std::size_t count);

/// Values of 2^-12 to 2^12 in magnitude with random signs.
std::vector<float> WideValues(RandomValues& random, std::size_t count);

/// The integers first, first + 1, … in random order with random signs: results are exact and easy to verify
/// by hand.
std::vector<float> DistinctIntegers(RandomValues& random, std::size_t count, int first);

}  // namespace warplings
