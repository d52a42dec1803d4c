// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace warplings
