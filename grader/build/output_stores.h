// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// How a thread stores to an array that it indexes by the array's own name.
struct OutputStores {
  /// Of the first loop around such a store; 0: one line stores, once for each thread.
  int loop_line = 0;
  friend bool operator==(const OutputStores&, const OutputStores&) = default;
};

/// Nothing if no line, or more than one outside all loops, stores to the array: `P[i] = …`, `P[i] += …`.
std::optional<OutputStores> FindOutputStores(std::string_view source, const std::string& array);

/// A loop around the only store to an array that always runs as often.
struct FixedLoop {
  int line = 0;
  std::string variable;  ///< "c"
  int passes = 0;        ///< 4 of `for (int c = 0; c < 4; ++c)`.
  friend bool operator==(const FixedLoop&, const FixedLoop&) = default;
};

/// In a function with a parameter of that name, which tells how often the loop should run. Nothing if another
/// loop is around it, or if something in it may end it earlier.
std::optional<FixedLoop> FindFixedLoop(std::string_view source, const std::string& array,
                                       std::string_view parameter);

/// A condition on a store that compares the column of `P[row * l + col]` with another side, `col < k`.
struct OtherSideGuard {
  int line = 0;
  std::string column;  ///< "col"
  friend bool operator==(const OtherSideGuard&, const OtherSideGuard&) = default;
};

/// Around the only store to the array, or of a return before it. `other` and `length`: parameters of its
/// function; nothing if it compares the column with `length`, too.
std::optional<OtherSideGuard> FindOtherSideGuard(std::string_view source, const std::string& array,
                                                 const std::string& other, const std::string& length);

}  // namespace warplings
