// SPDX-License-Identifier: Apache-2.0
#include "reference/matmul.h"

#include <cmath>
#include <limits>

namespace warplings::reference {
namespace {

/// Unit roundoff: half the distance from 1 to the next number.
template <class Float>
constexpr double kUnitRoundoff = std::numeric_limits<Float>::epsilon() / 2.0;

}  // namespace

double Gamma(std::size_t k, double u) {
  const double ku = static_cast<double>(k) * u;
  return ku / (1.0 - ku);
}

Bounded Matmul(std::span<const float> m, std::span<const float> n, std::size_t rows, std::size_t inner,
               std::size_t columns) {
  const double gamma = Gamma(inner, kUnitRoundoff<float>) + Gamma(inner, kUnitRoundoff<double>);
  const double underflow = static_cast<double>(inner) * std::numeric_limits<float>::min();
  Bounded p;
  p.value.resize(rows * columns);
  p.bound.resize(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0, magnitude = 0;
      for (std::size_t k = 0; k < inner; ++k) {
        const double product = double{m[row * inner + k]} * double{n[k * columns + column]};
        sum += product;
        magnitude += std::fabs(product);
      }
      p.value[row * columns + column] = sum;
      p.bound[row * columns + column] = gamma * magnitude + underflow;
    }
  }
  return p;
}

}  // namespace warplings::reference
