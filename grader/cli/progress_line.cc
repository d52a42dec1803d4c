// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "grader/base/text.h"
#include "grader/report/terminal_report.h"

namespace warplings {

ProgressLine::ProgressLine()
    : enabled_(::isatty(STDERR_FILENO) != 0), columns_(DetectTerminalStyle(STDERR_FILENO).columns) {}

void ProgressLine::Show(const std::string& text) {
  if (!enabled_) return;
  // A line that wraps could not be drawn over. Cut by bytes after making it safe: at worst a cut sequence
  // shows as one odd character for a moment.
  std::string line = Printable(text);
  if (line.size() >= columns_) line.resize(columns_ - 1);
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::Clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace warplings
