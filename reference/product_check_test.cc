// SPDX-License-Identifier: Apache-2.0
#include "reference/product_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace warplings::reference {
namespace {

constexpr std::size_t kRows = 96, kInner = 200, kColumns = 130;

/// M, N and P = M x N as an fp32 kernel computes it; M also column by column.
class ProductCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(1);
    const auto value = [&random] {
      const float magnitude = 0.5f + static_cast<float>(random() >> 41) * 0x1p-24f;
      return (random() & 1) != 0 ? -magnitude : magnitude;
    };
    for (float& each : m_) each = value();
    for (float& each : n_) each = value();
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = 0; k < kInner; ++k) mt_[k * kRows + r] = m_[r * kInner + k];
    }
    p_ = Product(m_, 0, kInner);
  }

  std::vector<float> Product(const std::vector<float>& m, std::size_t from, std::size_t to) const {
    std::vector<float> p(kRows * kColumns);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < kColumns; ++c) {
        float sum = 0;
        for (std::size_t k = from; k < to; ++k) sum = std::fma(m[r * kInner + k], n_[k * kColumns + c], sum);
        p[r * kColumns + c] = sum;
      }
    }
    return p;
  }

  std::string Check(const std::vector<float>& p, std::uint64_t seed = 3) const {
    return ProductCheck(m_, Order::kRowByRow, n_, kRows, kInner, kColumns, seed).Check(p);
  }

  std::vector<float> m_ = std::vector<float>(kRows * kInner), mt_ = m_,
                     n_ = std::vector<float>(kInner * kColumns), p_;
};

TEST_F(ProductCheckTest, AnHonestProductPassesHoweverMLies) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(Check(p_, seed), "");
    EXPECT_EQ(ProductCheck(mt_, Order::kColumnByColumn, n_, kRows, kInner, kColumns, seed).Check(p_), "");
  }
}

TEST_F(ProductCheckTest, OneElementThatLacksOneProductFails) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<float> p = p_;
    const std::size_t row = seed % kRows, column = (7 * seed) % kColumns;
    p[row * kColumns + column] -= m_[row * kInner] * n_[column];
    EXPECT_NE(Check(p, seed), "") << seed;
  }
}

TEST_F(ProductCheckTest, OneElementThatNobodyWroteFails) {
  p_[kColumns * kRows - 1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Check(p_), "row 95 of P is wrong");
}

TEST_F(ProductCheckTest, APhaseLeftOutFails) {
  EXPECT_NE(Check(Product(m_, 0, kInner - 8)), "");
}

TEST_F(ProductCheckTest, OperandsOfElevenBitsFail) {
  std::vector<float> cut = m_;
  for (float& value : cut) value = std::ldexp(std::round(std::ldexp(value, 11)), -11);
  EXPECT_NE(Check(Product(cut, 0, kInner)), "");
}

TEST_F(ProductCheckTest, RowsOfAnotherProductFail) {
  std::vector<float> p = p_;
  std::copy_n(p_.begin(), kColumns, p.begin() + 5 * kColumns);
  EXPECT_NE(Check(p), "");
}

}  // namespace
}  // namespace warplings::reference
