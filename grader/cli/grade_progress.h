// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "grader/cli/progress_line.h"

namespace warplings {

/// Tells how far the grading of a class is: one line that is drawn over on a terminal, else a plain line now
/// and then, on standard error.
class GradeProgress {
 public:
  using Clock = std::chrono::steady_clock;
  explicit GradeProgress(std::size_t total);

  /// What one of the running checks is at.
  void Show(const std::string& what);
  void Done();
  void End() { line_.Clear(); }

 private:
  std::string Counts() const;

  std::size_t total_, done_ = 0;
  bool on_terminal_;
  Clock::time_point start_, last_line_;
  ProgressLine line_;
};

/// "37 of 431 graded, about 4 min left". `elapsed` is what `done` took; nothing is foretold from nothing.
std::string DescribeProgress(std::size_t done, std::size_t total, std::chrono::duration<double> elapsed);

}  // namespace warplings
