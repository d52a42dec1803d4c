// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "reference/matmul.h"

namespace warplings::reference {

/// y = (x - mean) / sqrt(variance + epsilon) for each of `samples` columns of the features x samples matrix
/// x, row by row; mean and variance are those of the column.
///
/// The bound, to first order and doubled for what that leaves out, with u = 2^-24 and g = gamma_4k, k
/// features (Higham, section 3.1; four roundings for each feature leave room for updating formulas, such as
/// Welford's, beside a plain sum):
///
///   mean       dm <= g average|x|
///   d = x - m  dd <= dm + u |d|
///   variance   dv <= average(2 |d| dd + dd^2) + g v
///   y          dy <= dd s + |d| s (dv / (2 (v + epsilon)) + 8 u),   s = 1 / sqrt(v + epsilon)
///
/// 8 u: square root, division or rsqrtf (2 ulp, CUDA C++ Programming Guide, "Mathematical Functions"),
/// product.
Bounded Normalise(std::span<const float> x, std::size_t features, std::size_t samples, double epsilon);

}  // namespace warplings::reference
