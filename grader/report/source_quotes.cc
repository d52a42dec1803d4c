// SPDX-License-Identifier: Apache-2.0
#include "grader/report/source_quotes.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "grader/base/text.h"

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
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kLargestQuotedFile) return {};
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

SourceQuotes SourceQuotes::OfSubmission(std::string display_name, std::string_view text) {
  SourceQuotes quotes;
  quotes.lines_[display_name] = SplitLines(text);
  quotes.display_name_ = std::move(display_name);
  return quotes;
}

SourceQuotes SourceQuotes::OfFiles() {
  return {};
}

const std::vector<std::string>& SourceQuotes::LinesOf(const std::string& file) const {
  static const std::vector<std::string> kNone;
  const auto found = lines_.find(KnownAs(file));
  if (found != lines_.end()) return found->second;
  if (!display_name_.empty()) return kNone;
  return lines_[file] = SplitLines(ReadForQuoting(file));
}

std::string SourceQuotes::KnownAs(const std::string& file) const {
  return !display_name_.empty() && file.starts_with(kSubmissionFolder) ? display_name_ : file;
}

std::string SourceQuotes::DisplayName(const std::string& file) const {
  return Printable(KnownAs(file));
}

std::string SourceQuotes::Line(const SourceLine& where) const {
  const std::vector<std::string>& lines = LinesOf(where.file);
  if (where.line < 1 || static_cast<std::size_t>(where.line) > lines.size()) return {};
  const std::string& line = lines[static_cast<std::size_t>(where.line) - 1];
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return Printable(line.substr(begin, line.find_last_not_of(" \t") + 1 - begin));
}

std::string SourceQuotes::Place(const SourceLine& where) const {
  if (where.line == 0 || where.file.empty()) return "an unknown line";
  return DisplayName(where.file) + ":" + std::to_string(where.line);
}

}  // namespace warplings
