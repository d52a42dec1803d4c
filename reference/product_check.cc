// SPDX-License-Identifier: Apache-2.0
#include "reference/product_check.h"

#include <array>
#include <cmath>
#include <random>

#include "reference/matmul.h"

namespace warplings::reference {
namespace {

constexpr std::size_t kElements = 64;
constexpr double kRoundoff = 0x1p-24;

/// With eight sums, so that the compiler can keep them side by side.
double Dot(const float* a, const double* b, std::size_t count) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += double{a[i + lane]} * b[i + lane];
  }
  for (; i < count; ++i) sums[0] += double{a[i]} * b[i];
  double sum = 0;
  for (const double each : sums) sum += each;
  return sum;
}

/// Matrix, row by row, times vector.
std::vector<double> Times(std::span<const float> matrix, std::size_t rows, std::size_t columns,
                          const std::vector<double>& vector) {
  std::vector<double> result(rows);
  for (std::size_t row = 0; row < rows; ++row)
    result[row] = Dot(matrix.data() + row * columns, vector.data(), columns);
  return result;
}

/// The same for a matrix that lies column by column.
std::vector<double> TimesTransposed(std::span<const float> matrix, std::size_t rows, std::size_t columns,
                                    const std::vector<double>& vector) {
  std::vector<double> result(rows);
  for (std::size_t column = 0; column < columns; ++column) {
    const float* start = matrix.data() + column * rows;
    for (std::size_t row = 0; row < rows; ++row) result[row] += double{start[row]} * vector[column];
  }
  return result;
}

std::string Name(std::size_t row, std::size_t column) {
  return "P[" + std::to_string(row) + "][" + std::to_string(column) + "]";
}

}  // namespace

ProductCheck::ProductCheck(std::span<const float> m, Order m_order, std::span<const float> n,
                           std::size_t rows, std::size_t inner, std::size_t columns, std::uint64_t seed)
    : rows_(rows), inner_(inner), columns_(columns), signs_(columns) {
  std::mt19937_64 random(seed);
  for (double& sign : signs_) sign = (random() >> 63) != 0 ? -1 : 1;
  const std::vector<double> nx = Times(n, inner, columns, signs_);
  const bool by_row = m_order == Order::kRowByRow;
  expected_ = by_row ? Times(m, rows, inner, nx) : TimesTransposed(m, rows, inner, nx);
  if (rows == 0 || columns == 0) return;
  for (std::size_t i = 0; i < kElements; ++i) {
    Element element{random() % rows, random() % columns, 0, 0};
    double magnitude = 0;
    for (std::size_t k = 0; k < inner; ++k) {
      const float factor = by_row ? m[element.row * inner + k] : m[k * rows + element.row];
      const double product = double{factor} * double{n[k * columns + element.column]};
      element.value += product;
      magnitude += std::fabs(product);
    }
    element.bound = Gamma(inner, kRoundoff) * magnitude;
    elements_.push_back(element);
  }
}

std::string ProductCheck::Check(std::span<const float> p) const {
  for (const Element& element : elements_) {
    const double difference = std::fabs(double{p[element.row * columns_ + element.column]} - element.value);
    if (!(difference <= element.bound)) return Name(element.row, element.column) + " is wrong";
  }
  const double allowed =
      16 * kRoundoff * static_cast<double>(inner_) * std::sqrt(static_cast<double>(columns_));
  const std::vector<double> px = Times(p, rows_, columns_, signs_);
  for (std::size_t row = 0; row < rows_; ++row) {
    if (!(std::fabs(px[row] - expected_[row]) <= allowed))
      return "row " + std::to_string(row) + " of P is wrong";
  }
  return "";
}

}  // namespace warplings::reference
