// SPDX-License-Identifier: Apache-2.0
#include "grader/report/source_quotes.h"

#include <filesystem>
#include <sstream>

#include "grader/base/read_file.h"
#include "grader/base/text.h"
#include "grader/messages/report.h"

namespace warplings {
namespace {

constexpr std::uintmax_t kLargestQuotedFile = 4 << 20;

std::vector<std::string> SplitLines(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

/// A path out of a program's line table is that program's word: only an ordinary file of a sane size is read.
std::string ReadForQuoting(const std::filesystem::path& path) {
  return ReadOrdinaryFile(path, kLargestQuotedFile).value_or("");
}

}  // namespace

SourceQuotes SourceQuotes::OfSubmission(std::string display_name, std::string_view text) {
  SourceQuotes quotes;
  quotes.lines_[display_name] = SplitLines(text);
  quotes.directives_ = LineDirectives(text);
  quotes.display_name_ = std::move(display_name);
  return quotes;
}

SourceQuotes SourceQuotes::OfFiles() {
  return {};
}

const std::vector<std::string>& SourceQuotes::LinesOf(const std::string& file) const {
  static const std::vector<std::string> kNone;
  const auto found = lines_.find(file);
  if (found != lines_.end()) return found->second;
  if (!display_name_.empty()) return kNone;
  return lines_[file] = SplitLines(ReadForQuoting(file));
}

SourceLine SourceQuotes::Known(const SourceLine& where) const {
  if (display_name_.empty() || where.file.empty()) return where;
  const bool is_own = where.file == display_name_ || where.file.starts_with(kSubmissionFolder);
  // A file that names itself as it is named anyway is meant, too.
  std::optional<int> line = directives_.Find(where.file, where.line);
  if (!line && is_own) line = directives_.Find("", where.line);
  if (line) return {display_name_, *line};
  return is_own ? SourceLine{display_name_, where.line} : where;
}

std::string SourceQuotes::Line(const SourceLine& claimed) const {
  const SourceLine where = Known(claimed);
  const std::vector<std::string>& lines = LinesOf(where.file);
  if (where.line < 1 || static_cast<std::size_t>(where.line) > lines.size()) return {};
  const std::string& line = lines[static_cast<std::size_t>(where.line) - 1];
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return Printable(line.substr(begin, line.find_last_not_of(" \t") + 1 - begin));
}

Message SourceQuotes::Place(const SourceLine& where) const {
  if (where.line == 0 || where.file.empty()) return say::unknown_line();
  const SourceLine known = Known(where);
  return say::source_place(known.file + ":" + std::to_string(known.line));
}

}  // namespace warplings
