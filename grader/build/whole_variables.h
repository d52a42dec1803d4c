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

}  // namespace warplings
