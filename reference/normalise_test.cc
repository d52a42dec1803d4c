// SPDX-License-Identifier: Apache-2.0
#include "reference/normalise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace warplings::reference {
namespace {

constexpr std::size_t kFeatures = 32, kSamples = 200;

std::vector<float> Values(float middle) {
  std::mt19937 engine(7);
  std::vector<float> x(kFeatures * kSamples);
  for (float& value : x) value = middle + static_cast<float>(engine() >> 8) * 0x1p-23f - 1.0f;
  return x;
}

using Formula = std::function<void(const std::vector<float>& sample, std::vector<float>& y)>;

void TwoPasses(const std::vector<float>& v, std::vector<float>& y) {
  float sum = 0, squares = 0;
  for (const float value : v) sum += value;
  const float mean = sum / kFeatures;
  for (const float value : v) squares += (value - mean) * (value - mean);
  const float scale = 1 / std::sqrt(squares / kFeatures + 1e-6f);
  for (const float value : v) y.push_back((value - mean) * scale);
}

void Welford(const std::vector<float>& v, std::vector<float>& y) {
  float mean = 0, squares = 0, count = 0;
  for (const float value : v) {
    const float d = value - mean;
    mean += d / ++count;
    squares += d * (value - mean);
  }
  const float deviation = std::sqrt(squares / kFeatures + 1e-6f);
  for (const float value : v) y.push_back((value - mean) / deviation);
}

void SquaresCancel(const std::vector<float>& v, std::vector<float>& y) {
  float sum = 0, squares = 0;
  for (const float value : v) sum += value, squares += value * value;
  const float mean = sum / kFeatures;
  const float scale = 1 / std::sqrt(squares / kFeatures - mean * mean + 1e-6f);
  for (const float value : v) y.push_back((value - mean) * scale);
}

void DividedByOneLess(const std::vector<float>& v, std::vector<float>& y) {
  TwoPasses(v, y);
  for (float& value : y) value *= std::sqrt(31.0f / 32.0f);
}

/// Samples with an element outside the bound.
int SamplesOutside(float middle, const Formula& formula) {
  const std::vector<float> x = Values(middle);
  const Bounded expected = Normalise(x, kFeatures, kSamples, 1e-6);
  int outside = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    std::vector<float> sample, y;
    for (std::size_t f = 0; f < kFeatures; ++f) sample.push_back(x[f * kSamples + i]);
    formula(sample, y);
    bool within = true;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const std::size_t at = f * kSamples + i;
      within = within && std::fabs(y[f] - expected.value[at]) <= expected.bound[at];
    }
    outside += within ? 0 : 1;
  }
  return outside;
}

TEST(NormaliseTest, SmallIntegersByHand) {
  // Mean 2, variance 1.
  const Bounded y = Normalise(std::vector<float>{1, 3}, 2, 1, 0);
  EXPECT_DOUBLE_EQ(y.value[0], -1);
  EXPECT_DOUBLE_EQ(y.value[1], 1);
}

TEST(NormaliseTest, HonestFormulasStayWithinTheBound) {
  for (const float middle : {0.0f, 1.0f, 1000.0f}) {
    EXPECT_EQ(SamplesOutside(middle, TwoPasses), 0) << middle;
    EXPECT_EQ(SamplesOutside(middle, Welford), 0) << middle;
  }
}

TEST(NormaliseTest, CancellationIsSeenFarFromZeroOnly) {
  EXPECT_EQ(SamplesOutside(0, SquaresCancel), 0);
  EXPECT_GT(SamplesOutside(1000, SquaresCancel), 100);
}

TEST(NormaliseTest, AWrongDivisorIsOutsideTheBound) {
  EXPECT_EQ(SamplesOutside(0, DividedByOneLess), static_cast<int>(kSamples));
}

}  // namespace
}  // namespace warplings::reference
