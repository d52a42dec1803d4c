// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "grader/core/test_result.h"
#include "tests/suites/common/messages.h"

namespace warplings {

/// The source line with the largest value of `count`; null if all are 0 or no line is known. It points into
/// `test`.
inline const LineCounts* BusiestLine(const TestResult& test, std::uint64_t Counts::*count) {
  const LineCounts* most = nullptr;
  for (const LaunchRecord& launch : test.launches) {
    for (const LineCounts& line : launch.lines) {
      if (line.counts.*count > (most == nullptr ? 0 : most->counts.*count)) most = &line;
    }
  }
  return most == nullptr || most->where.line == 0 ? nullptr : most;
}

/// Of a line in a function that the compiler inlined: the call that has most of what `cost` counts; null if
/// the function is called in one line, or no call stands out. It points into `line`.
template <class Cost>
const CallCounts* BusiestCall(const LineCounts& line, const Cost& cost) {
  if (line.calls.size() < 2) return nullptr;
  const auto most =
      std::ranges::max_element(line.calls, {}, [&](const CallCounts& call) { return cost(call.counts); });
  // Three quarters: each of two calls that cost the same has a half.
  const bool stands_out = most->line != 0 && 4 * cost(most->counts) >= 3 * cost(line.counts);
  return stands_out ? &*most : nullptr;
}

/// "line 16", or "line 16, called from line 64".
inline Message PlaceOf(const LineCounts& line, const CallCounts* call) {
  return call == nullptr ? say::place_in_line(line.where.line)
                         : say::place_in_call(line.where.line, call->line);
}

}  // namespace warplings
