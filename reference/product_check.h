// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplings::reference {

/// How M lies in memory; N and P lie row by row.
enum class Order { kRowByRow, kColumnByColumn };

/// Tells in some n^2 steps whether P = M x N, for products too large to be computed anew in fp64 for each
/// timed run. All values of M and N are below 1 in magnitude.
///
/// Two checks. For a vector x of random signs, P x must be M (N x) (R. Freivalds: Probabilistic machines can
/// use less running time, IFIP Congress 1977): each row of P takes part with all its elements. And 64
/// elements at random places are computed in fp64 and held to the bound of reference/matmul.h.
///
/// What the first proves. An honest kernel's errors in a row add up to about 0.23 inner u sqrt(columns), as a
/// random walk of roundings (u = 2^-24, values below 1); 16 inner u sqrt(columns) is allowed, far beyond
/// chance. A row whose only wrong element is off by more than twice that fails whatever x is. Several wrong
/// elements in a row pass only if their differences, with the signs of x, add up to less than that: for signs
/// nobody knows before, at most every second time, and that in every wrong row of every timed run. An
/// element that was left NaN fails always.
class ProductCheck {
 public:
  ProductCheck(std::span<const float> m, Order m_order, std::span<const float> n, std::size_t rows,
               std::size_t inner, std::size_t columns, std::uint64_t seed);

  /// Empty when P is right, otherwise what is wrong.
  std::string Check(std::span<const float> p) const;

 private:
  struct Element {
    std::size_t row, column;
    double value, bound;
  };

  const std::size_t rows_, inner_, columns_;
  std::vector<double> signs_;     ///< x
  std::vector<double> expected_;  ///< M (N x), by row.
  std::vector<Element> elements_;
};

}  // namespace warplings::reference
