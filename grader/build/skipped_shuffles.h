// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/core/finding.h"

namespace warplings {

/// What keeps lanes from a shuffle, though they go on behind it.
struct SkippedShuffle {
  int line = 0;  ///< Of the only condition around the shuffle; 0 if there are several.
  friend bool operator==(const SkippedShuffle&, const SkippedShuffle&) = default;
};

/// Of the `__shfl_…_sync` in that line, or of the only call of its function. Nothing in doubt: where lanes
/// may also return before, or leave a loop around it earlier than others; and where the condition is the last
/// that the kernel does, because lanes that return break no rule.
std::optional<SkippedShuffle> FindSkippedShuffle(std::string_view source, int line);

/// Of a finding that lanes miss in a shuffle with a full mask: makes it an error, and names the condition, if
/// that source shows it. "The mask … must name all non-exited threads that execute the intrinsic with it, or
/// the result is undefined" (CUDA C++ Programming Guide, "Warp Shuffle Functions").
void ExplainSkippedShuffle(Finding& finding, std::string_view source);

}  // namespace warplings
