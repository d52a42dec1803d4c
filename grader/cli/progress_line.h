// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// One line on standard error that is drawn over while work goes on, and cleared before anything else is
/// printed. Draws nothing where standard error is no terminal.
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
