// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/core/test_result.h"

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

}  // namespace warplings
