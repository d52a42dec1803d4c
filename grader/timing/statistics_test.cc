// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "grader/timing/speed_share.h"

namespace warplings::timing {
namespace {

using Values = std::vector<double>;

/// `count` times like those of real runs: normally distributed around `center` with a spread of `noise`, and
/// now and then a disturbed run.
Values NoisyTimes(std::mt19937_64& random, double center, double noise, std::size_t count) {
  const auto unit = [&random] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  Values times(count);
  for (double& time : times) {
    const double normal = std::sqrt(-2 * std::log(unit())) * std::cos(2 * std::numbers::pi * unit());
    time = center * (1 + noise * normal);
    if (unit() < 0.05) time *= 1 + 10 * noise;
  }
  return times;
}

TEST(Statistics, MedianOfAnyNumber) {
  EXPECT_EQ(Median(Values{}), 0);
  EXPECT_EQ(Median(Values{3}), 3);
  EXPECT_EQ(Median(Values{4, 1}), 2.5);
  EXPECT_EQ(Median(Values{9, 1, 4}), 4);
  EXPECT_EQ(Median(Values{8, 1, 100, 2}), 5);
}

TEST(Statistics, TrimmedMeanLeavesOutATenthAtEitherEnd) {
  EXPECT_EQ(TrimmedMean(Values{}), 0);
  EXPECT_EQ(TrimmedMean(Values{4, 1}), 2.5);
  EXPECT_EQ(TrimmedMean(Values{100, 1, 4}), 4);
  EXPECT_EQ(TrimmedMean(Values{5, 3, 4, 1000, 0, 6}), 4.5);
  Values twenty(20, 7);
  twenty[3] = twenty[11] = 1e9;
  EXPECT_EQ(TrimmedMean(twenty), 7);
}

/// Two peaks, equally high: what a few runs more on either side do must be little.
TEST(Statistics, TrimmedMeanOfTwoPeaksDoesNotJump) {
  Values times(40, 36.4);
  std::fill(times.begin(), times.begin() + 19, 37.6);
  const double fewer = TrimmedMean(times);
  std::fill(times.begin(), times.begin() + 21, 37.6);
  EXPECT_NEAR(TrimmedMean(times) / fewer, 1, 0.003) << "the median moves by 3 %";
}

TEST(Statistics, StandardErrorIsRelative) {
  EXPECT_EQ(RelativeStandardError(Values{5}), 0);
  EXPECT_NEAR(RelativeStandardError(Values{9, 11}), 0.1, 1e-12);
  EXPECT_NEAR(RelativeStandardError(Values{9e-6, 11e-6}), 0.1, 1e-12);
}

TEST(Statistics, StandardErrorDoesNotFollowADisturbedRun) {
  std::mt19937_64 random(5);
  Values times = NoisyTimes(random, 1, 0.01, 40);
  const double before = RelativeStandardError(times);
  times.push_back(100);
  EXPECT_LT(RelativeStandardError(times), 1.2 * before);
}

/// Of 400 measurements of 40 runs each, 68 % are nearer to the truth than their standard error.
TEST(Statistics, StandardErrorIsTheSpreadOfTheTrimmedMean) {
  std::mt19937_64 random(6);
  Values means, errors;
  for (int i = 0; i < 400; ++i) {
    const Values times = NoisyTimes(random, 1, 0.01, 40);
    means.push_back(TrimmedMean(times));
    errors.push_back(RelativeStandardError(times));
  }
  const double middle = Median(means), error = Median(errors);
  const auto near =
      std::ranges::count_if(means, [&](double each) { return std::abs(each - middle) < error; });
  EXPECT_NEAR(static_cast<double>(near) / 400, 0.68, 0.06);
}

TEST(Statistics, SpeedupIsARatioOfTrimmedMeans) {
  const TimePair pair{{2, 2, 50, 2, 2}, {1, 1, 1, 1, 1}};
  const Interval speedup = Speedup(std::span(&pair, 1), 1);
  EXPECT_EQ(speedup.value, 2);
  EXPECT_NEAR(speedup.low, 2, 1e-6);
  EXPECT_TRUE(CanTell(speedup));
}

/// 1 % of 10 us is what two processes of one program differ by; of 1 ms, it is not.
TEST(Statistics, SmallDifferencesOfShortKernelsAreNotTold) {
  const TimePair brief{Values(30, 10.1e-6), Values(30, 10e-6)},
      lasting{Values(30, 1.01e-3), Values(30, 1e-3)};
  EXPECT_FALSE(CanTell(Speedup(std::span(&brief, 1), 1)));
  EXPECT_TRUE(CanTell(Speedup(std::span(&lasting, 1), 1)));
  const Interval speedup = Speedup(std::span(&brief, 1), 1);
  EXPECT_NEAR(std::log(speedup.high / speedup.value), 1.96 * std::sqrt(2.0) * 0.01, 2e-4);
  EXPECT_NEAR(speedup.high / speedup.value, speedup.value / speedup.low, 1e-9);
}

TEST(Statistics, ShapesCountAlike) {
  const std::vector<TimePair> shapes = {{{8}, {1}}, {{2e-6}, {1e-6}}};
  EXPECT_NEAR(Speedup(shapes, 1).value, 4, 1e-12);
  EXPECT_EQ(Speedup({}, 1).value, 0);
  const TimePair empty{{}, {1}};
  EXPECT_EQ(Speedup(std::span(&empty, 1), 1).value, 0);
}

TEST(Statistics, TheSameSeedGivesTheSameInterval) {
  std::mt19937_64 random(7);
  const TimePair pair{NoisyTimes(random, 1.5, 0.02, 12), NoisyTimes(random, 1, 0.02, 12)};
  const Interval first = Speedup(std::span(&pair, 1), 3), again = Speedup(std::span(&pair, 1), 3);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_LT(first.low, first.value);
  EXPECT_GT(first.high, first.value);
}

/// How often out of 100 the interval of a true speedup of `truth` holds it.
int Held(double truth, double noise, std::size_t samples, int shapes) {
  std::mt19937_64 random(11);
  int held = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<TimePair> pairs;
    for (int s = 0; s < shapes; ++s)
      pairs.push_back({NoisyTimes(random, truth, noise, samples), NoisyTimes(random, 1, noise, samples)});
    const Interval speedup = Speedup(pairs, static_cast<std::uint64_t>(i));
    held += speedup.low <= truth && truth <= speedup.high;
  }
  return held;
}

TEST(Statistics, IntervalsHoldTheTruthAsOftenAsTheySay) {
  for (const double noise : {0.002, 0.02}) {
    for (const std::size_t samples : {10u, 25u}) {
      EXPECT_GE(Held(1.5, noise, samples, 1), 90) << noise << " " << samples;
      EXPECT_GE(Held(1.0, noise, samples, 2), 90) << noise << " " << samples;
    }
  }
}

TEST(Statistics, ASolutionAgainstItselfCannotBeTold) {
  for (const double noise : {0.002, 0.03}) {
    std::mt19937_64 random(5);
    int told = 0;
    for (int i = 0; i < 100; ++i) {
      const TimePair pair{NoisyTimes(random, 1, noise, 12), NoisyTimes(random, 1, noise, 12)};
      told += CanTell(Speedup(std::span(&pair, 1), 1));
    }
    EXPECT_LE(told, 8) << noise;
  }
}

TEST(Statistics, WhatRoundsToOneIsNotTold) {
  EXPECT_FALSE(CanTell({1.004, 1.003, 1.0049}));
  EXPECT_FALSE(CanTell({1.02, 0.99, 1.05}));
  EXPECT_TRUE(CanTell({1.02, 1.01, 1.03}));
  EXPECT_TRUE(CanTell({0.9, 0.85, 0.95}));
}

TEST(SpeedShare, FullFromNineTenthsOfTheReference) {
  const Interval reference{3, 2.9, 3.1};
  EXPECT_EQ(SpeedShare({3.5, 3.4, 3.6}, reference), 1);
  EXPECT_EQ(SpeedShare({2.6, 2.4, 2.7}, reference), 1) << "the interval reaches 2.7";
  EXPECT_NEAR(SpeedShare({2.5, 2.4, 2.6}, reference), 1.5 / 1.7, 1e-12);
}

TEST(SpeedShare, NoneBelowTheBaseline) {
  const Interval reference{3, 2.9, 3.1};
  EXPECT_EQ(SpeedShare({1, 0.9, 1.1}, reference), 0);
  EXPECT_EQ(SpeedShare({0.5, 0.4, 0.6}, reference), 0);
}

TEST(SpeedShare, AReferenceThatIsHardlyAheadAsksForNoMoreThanTheBaseline) {
  const Interval reference{1.05, 1.04, 1.06};
  EXPECT_EQ(SpeedShare({1, 0.99, 1.01}, reference), 1);
  EXPECT_EQ(SpeedShare({0.97, 0.96, 0.98}, reference), 0);
}

TEST(SpeedShare, AReferenceThatIsBehindAsksForNoMoreThanItself) {
  const Interval reference{0.8, 0.79, 0.81};
  EXPECT_EQ(SpeedShare({0.8, 0.79, 0.81}, reference), 1);
  EXPECT_EQ(SpeedShare({0.6, 0.59, 0.61}, reference), 0);
}

}  // namespace
}  // namespace warplings::timing
