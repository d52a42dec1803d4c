// SPDX-License-Identifier: Apache-2.0
#include "reference/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>

namespace warplings::reference {
namespace {

/// 0.5 to 1 with a random sign: nothing underflows, and sums cancel.
std::vector<float> Numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    const float magnitude = 0.5f + static_cast<float>(engine() >> 9) * 0x1p-24f;
    number = (engine() & 1u) != 0 ? magnitude : -magnitude;
  }
  return numbers;
}

/// Keeps the leading `bits` bits of the significand, rounding to nearest.
float Rounded(float value, int bits) {
  int exponent = 0;
  const float significand = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
}

using Sum = std::function<float(const std::vector<float>&, const std::vector<float>&)>;

/// True when `sum` stays within the bound for many pairs of vectors of length k.
bool StaysWithin(std::size_t k, const Sum& sum) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::vector<float> a = Numbers(k, 2 * seed + 1), b = Numbers(k, 2 * seed + 2);
    const Bounded p = Matmul(a, b, 1, k, 1);
    if (!(std::fabs(sum(a, b) - p.value[0]) <= p.bound[0])) return false;
  }
  return true;
}

float Forward(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float Backward(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = a.size(); i-- > 0;) sum += a[i] * b[i];
  return sum;
}

float Fused(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
  return sum;
}

/// As a tiled kernel pads: the length rounded up to 16, zeros behind the end.
float Padded(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = Fused(a, b);
  for (std::size_t i = a.size(); i % 16 != 0; ++i) sum = std::fma(0.0f, 0.0f, sum);
  return sum;
}

float Pairwise(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> terms(a.size());
  std::ranges::transform(a, b, terms.begin(), std::multiplies<>());
  while (terms.size() > 1) {
    std::vector<float> next;
    for (std::size_t i = 0; i < terms.size(); i += 2) {
      next.push_back(i + 1 < terms.size() ? terms[i] + terms[i + 1] : terms[i]);
    }
    terms = next;
  }
  return terms[0];
}

/// Operands of `bits` significant bits, sums in fp32: what a tensor core in TF32 (11) or fp16 (11) does.
Sum LowPrecision(int bits) {
  return [bits](const std::vector<float>& a, const std::vector<float>& b) {
    float sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += Rounded(a[i], bits) * Rounded(b[i], bits);
    return sum;
  };
}

float WithoutLastProduct(const std::vector<float>& a, const std::vector<float>& b) {
  return Forward(a, b) - a.back() * b.back();
}

TEST(MatmulTest, SmallIntegersAreExact) {
  const Bounded p = Matmul(std::vector<float>{1, 2, 3, 4}, std::vector<float>{5, 6, 7, 8}, 2, 2, 2);
  EXPECT_EQ(p.value, (std::vector<double>{19, 22, 43, 50}));
}

TEST(MatmulTest, RectangularMatricesKeepTheirShapes) {
  const Bounded p = Matmul(std::vector<float>{1, 2, 3}, std::vector<float>{4, 5, 6}, 1, 3, 1);
  EXPECT_EQ(p.value, std::vector<double>{32});
  EXPECT_EQ(Matmul(std::vector<float>{1, 2, 3}, std::vector<float>{4, 5}, 3, 1, 2).value,
            (std::vector<double>{4, 5, 8, 10, 12, 15}));
}

TEST(MatmulTest, TheBoundFollowsTheFormula) {
  const Bounded p = Matmul(std::vector<float>{1, -2}, std::vector<float>{3, 4}, 1, 2, 1);
  const double u = 0x1p-24;
  EXPECT_NEAR(p.bound[0], 11 * 2 * u / (1 - 2 * u), 1e-13);
}

TEST(MatmulTest, HonestSumsOfAnyOrderStayWithinTheBound) {
  for (const std::size_t k : {1u, 2u, 3u, 16u, 17u, 100u, 1000u}) {
    EXPECT_TRUE(StaysWithin(k, Forward)) << k;
    EXPECT_TRUE(StaysWithin(k, Backward)) << k;
    EXPECT_TRUE(StaysWithin(k, Fused)) << k;
    EXPECT_TRUE(StaysWithin(k, Padded)) << k;
    EXPECT_TRUE(StaysWithin(k, Pairwise)) << k;
  }
}

TEST(MatmulTest, LowerPrecisionIsOutsideTheBound) {
  for (const std::size_t k : {1u, 3u, 16u, 17u, 100u, 150u}) {
    EXPECT_FALSE(StaysWithin(k, LowPrecision(11))) << k;
    EXPECT_FALSE(StaysWithin(k, LowPrecision(8))) << k;
  }
}

TEST(MatmulTest, AMissingProductIsOutsideTheBound) {
  for (const std::size_t k : {1u, 3u, 17u, 100u, 1000u})
    EXPECT_FALSE(StaysWithin(k, WithoutLastProduct)) << k;
}

}  // namespace
}  // namespace warplings::reference
