// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/speed_result.h"

namespace warplings {

/// The report's section on speed: a table, in words, with a row per shape if there are times; then sentences.
struct SpeedText {
  std::vector<std::vector<std::string>> table;
  std::vector<Message> lines;
};
SpeedText DescribeSpeed(const SpeedResult& speed);

/// "1.48 [1.46, 1.50]", or "1.00 [0.99, 1.02], too close to tell" if the interval does not show which one is
/// faster.
Message SpeedupText(const Interval& speedup);

}  // namespace warplings
