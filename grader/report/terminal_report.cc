// SPDX-License-Identifier: Apache-2.0
#include "grader/report/terminal_report.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "grader/report/report_canvas.h"

namespace warplings {
namespace {

/// COLUMNS takes precedence if it is exported: POSIX defines it as the width that utilities should use.
std::size_t ColumnsOf(int fd) {
  constexpr std::size_t kUsual = 80, kLeast = 40, kMost = 120;
  const std::string_view text = std::getenv("COLUMNS") == nullptr ? "" : std::getenv("COLUMNS");
  std::size_t columns = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), columns);
  winsize size{};
  if (text.empty() || fault != std::errc() || end != text.data() + text.size() || columns == 0) {
    columns = ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
  }
  return std::clamp(columns, kLeast, kMost);
}

}  // namespace

TerminalStyle DetectTerminalStyle(int fd) {
  TerminalStyle style;
  style.columns = ColumnsOf(fd);
  // A program that shows our output on a terminal of its own may ask for colour (bixense.com/clicolors).
  const char* forced = std::getenv("CLICOLOR_FORCE");
  const bool shown_elsewhere = forced != nullptr && *forced != '\0' && std::string_view(forced) != "0";
  if (::isatty(fd) == 0 && !shown_elsewhere) return style;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  style.colour = (no_color == nullptr || *no_color == '\0') && !dumb;
  return style;
}

std::string TerminalReport(const ExerciseResult& result, const TerminalStyle& style) {
  return style.detail == Detail::kScreen ? ShortReport(result, style) : FullReport(result, style);
}

}  // namespace warplings
