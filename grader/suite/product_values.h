// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/base/message.h"

namespace warplings {

// What the values of one call tell about a wrong product, for calls that are too large to probe.

/// "P is right up to column 95; from column 96 on, every element is 0.", where the wrong elements of a
/// rows x columns array begin with a row or a column; or empty.
Message EdgeFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                 const std::vector<bool>& is_wrong);

/// Describes which elements of a rows x columns array are wrong and what they hold, from one test's values;
/// for calls that are too large to probe: EdgeFact, or their number and the first one. Empty if no element is
/// wrong, or if all are wrong without a pattern.
Message PlacesFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                   const std::vector<bool>& is_wrong);

/// "P[0][16] holds its own sum plus the sum of P[0][0].", or another element's sum instead of its own:
/// of values alone, for calls too large to probe. Values that are no multiples of each other meet by chance
/// once in a thousand times; so the first three wrong ones have to, each as far from the other. Empty where
/// they do not.
Message SumOfAnother(const std::string& array, std::size_t columns, const std::vector<float>& actual,
                     const std::vector<double>& expected, const std::vector<double>& bounds,
                     const std::vector<bool>& is_wrong);

/// "Each sum in P stops after the product with i = 31; 64 products are needed.": of values alone, for calls
/// too large to probe. `m` is rows x inner and `n` inner x columns, row by row. Empty where it is not so.
Message PartOfSums(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                   std::size_t rows, std::size_t inner, std::size_t columns);

/// "P holds M x M; N is not used at all.", or N x N: of values alone, as no formula has both matrices in
/// it.
Message SquareOfOne(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                    std::size_t side);

/// Advice for errors as large as those of rounding to a lower precision: "no error exceeds 5e-04 of the
/// products' size." Empty if errors are not like that.
Message PrecisionFact(const std::vector<double>& actual, const std::vector<double>& expected,
                      const std::vector<double>& magnitudes);

}  // namespace warplings
