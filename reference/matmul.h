// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warplings::reference {

/// Values, and how far from each an honest fp32 result may lie.
struct Bounded {
  std::vector<double> value;
  std::vector<double> bound;
};

/// P = M x N with M rows x inner, N inner x columns, P rows x columns, all row by row.
///
/// The bound. An inner product of length k, computed in precision u, in any order of summation, gives
///     |computed - exact| <= gamma_k * sum |a_i b_i|,   gamma_k = k u / (1 - k u)
/// (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1, eq. 3.5): each
/// product passes one multiplication and at most k - 1 additions, each with one rounding. A fused
/// multiply-add only leaves roundings out, and adding the zeros of a padded tile is exact, so the bound
/// holds for every honest kernel; u is 2^-24 for fp32. Operands cut to fp16 or TF32 (11 significant bits) err
/// by about sqrt(2k) 2^-12 times a typical product, the bound is k^2 2^-24 times it: the two meet at k = 200,
/// and below that lower precision is seen. Suites that must see it keep k at 150 or less.
/// The value itself is summed in fp64, where the products of two floats are exact; its own error is
/// gamma_k with u = 2^-53 and is added.
///
/// Products so small that they are subnormal lose relative accuracy; each adds at most FLT_MIN. With inputs
/// whose products are normal the sum of |a_i b_i| is far above that, and the term is harmless.
Bounded Matmul(std::span<const float> m, std::span<const float> n, std::size_t rows, std::size_t inner,
               std::size_t columns);

/// gamma_k of the formula above for precision u.
double Gamma(std::size_t k, double u);

}  // namespace warplings::reference
