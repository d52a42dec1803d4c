// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace warplings {

/// `text` made safe to print, and cut to less than `columns`: a line that wraps could not be drawn over.
std::string ProgressText(const std::string& text, std::size_t columns);

/// One line on standard error that is overwritten while work goes on, and must be cleared before anything
/// else is printed. Prints nothing if standard error is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const std::string& text);
  void Clear();

 private:
  bool enabled_;
  bool drawn_ = false;
  std::size_t columns_;
};

/// Tells when to print a line to a log, in which none can be overwritten: 15 s after the last one at the
/// earliest.
class LineNowAndThen {
 public:
  using Clock = std::chrono::steady_clock;
  explicit LineNowAndThen(Clock::time_point start = Clock::now()) : last_(start) {}

  /// Then the next line is due 15 s later. Not on a terminal, which has a ProgressLine.
  bool IsDue(Clock::time_point now = Clock::now());

 private:
  Clock::time_point last_;
};

}  // namespace warplings
