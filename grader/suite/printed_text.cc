// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/printed_text.h"

#include <algorithm>

#include "grader/base/text.h"

namespace warplings {
namespace {

/// The first line of `text`, including its line end.
std::string_view FirstLine(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

void AddLine(std::string_view line, PrintedText& printed) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(printed.text, '\n'));
  const bool is_full = printed.more_bytes > 0 || lines >= PrintedText::kMostLines;
  const std::size_t room = is_full ? 0 : PrintedText::kMostBytes - printed.text.size();
  std::string_view kept = line.size() <= room ? line : std::string_view();
  if (kept.empty() && printed.text.empty()) kept = FirstBytes(line, room);  // It has one line, a long one.
  printed.text += kept;
  printed.more_bytes += line.size() - kept.size();
  printed.more_lines += kept.empty();
}

}  // namespace

void AddPrinted(std::string_view text, std::optional<PrintedText>& printed) {
  if (text.empty()) return;
  if (!printed) printed.emplace();
  for (; !text.empty(); text.remove_prefix(FirstLine(text).size())) AddLine(FirstLine(text), *printed);
}

}  // namespace warplings
