// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A grid-stride loop that begins at a thread's number in the grid, but whose step is not the number of
/// threads.
struct ShortStride {
  int line = 0;          ///< Of the loop.
  std::string variable;  ///< "i" of `for (int i = …; i < n; i += gridDim.x)`.
  std::string stride;    ///< "gridDim.x" or "blockDim.x".
  friend bool operator==(const ShortStride&, const ShortStride&) = default;
};

/// The first one, if it begins at a number with the index of the block and that of the thread in it, or at a
/// variable that was given one.
std::optional<ShortStride> FindShortStride(std::string_view source);

}  // namespace warplings
