// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/report/terminal_report.h"

namespace warplings {

std::string ProgressText(const std::string& text, std::size_t columns) {
  return CutTo(Printable(text), columns - 1);
}

ProgressLine::ProgressLine()
    : enabled_(::isatty(STDERR_FILENO) != 0), columns_(DetectTerminalStyle(STDERR_FILENO).columns) {}

void ProgressLine::Show(const std::string& text) {
  if (!enabled_) return;
  std::fprintf(stderr, "\r\x1b[K%s", ProgressText(text, columns_).c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::Clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

bool LineNowAndThen::IsDue(Clock::time_point now) {
  constexpr std::chrono::seconds kBetweenLines{15};
  if (::isatty(STDERR_FILENO) != 0 || now - last_ < kBetweenLines) return false;
  last_ = now;
  return true;
}

}  // namespace warplings
