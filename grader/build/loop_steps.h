// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
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

}  // namespace warplings
