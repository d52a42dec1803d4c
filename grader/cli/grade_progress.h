// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "grader/cli/progress_line.h"

namespace warplings {

/// Shows the progress of grading a class on standard error: one line that is overwritten on a terminal,
/// otherwise a plain line now and then.
class GradeProgress {
 public:
  using Clock = std::chrono::steady_clock;
  explicit GradeProgress(std::size_t total);

  /// Shows the current step of one of the running checks.
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

/// "37 of 431 graded, about 4 min left". `elapsed` is the time that `done` texts took. No estimate if `done`
/// is 0.
std::string DescribeProgress(std::size_t done, std::size_t total, std::chrono::duration<double> elapsed);

}  // namespace warplings
