// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace warplings {

/// A pointer into an array that a kernel moves on: `n += TILE * k;`.
struct MovedPointer {
  std::string pointer, step;  ///< As they are written.
  int line = 0;               ///< Where it is moved.
  /// "l": the parameter by which the pointer's row is multiplied where it is set, if the step multiplies by
  /// other ones alone. Else empty.
  std::string length;
  int length_line = 0;
  int condition_line =
      0;  ///< Of the last condition before the loop that moves it; 0 if the loop has one, too.
};

/// Of the pointer into `array` through which that line accesses it. Nothing if it is moved in several places.
std::optional<MovedPointer> FindMovedPointer(std::string_view source, int line, std::string_view array);

/// A launch that passes a pointer past an array's first element: `k<<<…>>>(M, N, P + done * l)`.
struct PassedSum {
  int line = 0;
  std::string sum;  ///< "P + done * l"
};

/// Of the only launch of the kernel that has an access to its parameter `array` in that line, by an index in
/// which each term has one of the names that are `zero`.
std::optional<PassedSum> FindPassedSum(std::string_view source, int line, std::string_view array,
                                       const std::set<std::string>& zero);

}  // namespace warplings
