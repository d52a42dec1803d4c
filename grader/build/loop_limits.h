// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

// Loops and conditions whose limit is wrong in any call, as the text alone shows. Nothing in doubt.

/// A loop from 0 to a variable that is set to 0 and never changed.
struct IdleLoop {
  int line = 0;
  std::string variable;  ///< "device" of `for (int device = 0; device < count; ++device)`.
  std::string limit;     ///< "count".
  int limit_line = 0;    ///< Where it is set to 0.
};
std::optional<IdleLoop> FindIdleLoop(std::string_view source);

/// `i <= na && tile[i]`, where loops fill the array only up to `tile[na - 1]`: its first element of another
/// array, or none, is taken for one.
struct ReachedEnd {
  int line = 0;
  std::string index, limit, array;
  int fill_line = 0;  ///< Of the loop with `k < na`, which stores `tile[k]`.
};
std::optional<ReachedEnd> FindReachedEnd(std::string_view source);

}  // namespace warplings
