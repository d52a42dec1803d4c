// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A loop that does several steps in each pass: `for (int k = 0; k < tile; k += 4)`.
struct LoopOfSteps {
  int line = 0;  ///< Of its header.
  int steps = 0;
  friend bool operator==(const LoopOfSteps&, const LoopOfSteps&) = default;
};

/// The only innermost loop like that, without a barrier in it, whose number of steps is a small constant;
/// with a line, the one around it.
std::optional<LoopOfSteps> FindLoopOfSteps(std::string_view source, int line = 0);

/// `i + 4 < k; i += 4`: the loop leaves out the last pass where `side` is a multiple of 4.
struct LoopThatEndsEarly {
  int line = 0, steps = 0;
  std::string condition, right;  ///< "i + 4 < k", "i + 4 <= k".
};

/// The only loop like that; nothing where there are several.
std::optional<LoopThatEndsEarly> FindLoopThatEndsEarly(std::string_view source, std::string_view side);

/// `i = fours; i < k`, where `fours = k / 4`: the rest of the products begins at the number of passes.
struct RestThatBeginsEarly {
  int line = 0, steps = 0;
  std::string passes, right;  ///< "fours", "4 * fours".
};

std::optional<RestThatBeginsEarly> FindRestThatBeginsEarly(std::string_view source, std::string_view side);

}  // namespace warplings
