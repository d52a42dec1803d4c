// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A variable or an array of whole numbers in a kernel that is given elements of an array of floats.
struct WholeVariable {
  int line = 0;  ///< That declares it.
  std::string name, type;
  friend bool operator==(const WholeVariable&, const WholeVariable&) = default;
};

/// The first one: `int partial[256]; partial[t] = X[i];`, with `const float* X` among the parameters of the
/// function, or `sum += X[i]`. A source may mean to round; only wrong values tell.
std::optional<WholeVariable> FindWholeVariable(std::string_view source);

/// `const int mean = sum / n;` of a float sum: the first variable of whole numbers that starts as a float
/// without a cast, is never changed, and is only used in sums and products with other floats.
std::optional<WholeVariable> FindRoundedVariable(std::string_view source);

/// `sum = input[i];` in a loop that does not read sum, where it starts at 0 before the loop and is read after
/// it.
struct ReplacedSum {
  int line = 0;
  std::string name, written;  ///< "sum", "sum = input[i]"
};
std::optional<ReplacedSum> FindReplacedSum(std::string_view source);

}  // namespace warplings
