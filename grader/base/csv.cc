// SPDX-License-Identifier: Apache-2.0
#include "grader/base/csv.h"

#include <algorithm>
#include <charconv>

#include "grader/base/characters.h"
#include "grader/base/messages.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

/// The characters are those that OWASP's page on CSV injection lists. Leading spaces are skipped here because
/// some programs skip them, too.
bool NeedsApostrophe(std::string_view text) {
  if (text.starts_with('\'')) return true;
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos &&
         std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
}

/// Excel shows no more than 32,767 characters of a cell, Python's csv module refuses a file with more than
/// 131,072 in one. Bytes are counted, of which there are at least as many.
constexpr std::size_t kMostBytes = 32'000;

std::string CutToFit(std::string text) {
  if (text.size() <= kMostBytes) return text;
  const std::size_t kept = FirstBytes(text, kMostBytes).size();
  const std::string mark = " [cut: " + WithThousands(text.size() - kept) + " more bytes]";
  return text.replace(kept, std::string::npos, mark);
}

/// Reads fields off a CSV file's text.
class CsvParser {
 public:
  CsvParser(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  /// Rows and their lines.
  Status Parse(CsvTable& table) {
    while (place_ < text_.size()) {
      const std::size_t started = line_;
      if (row_.empty()) row_line_ = line_;
      if (!ReadField()) {
        return UsageError(say::quote_not_closed(started), say::export_again());
      }
      if (place_ < text_.size() && text_[place_] == delimiter_) {
        ++place_;
        // A delimiter at the very end has an empty field behind it.
        if (place_ == text_.size()) row_.emplace_back();
      } else {
        EndLine();
      }
    }
    if (!row_.empty()) EndRow();
    table.rows = std::move(rows_);
    table.lines = std::move(lines_);
    return Unit{};
  }

 private:
  bool ReadField() {
    std::string field;
    if (place_ < text_.size() && text_[place_] == '"') {
      for (++place_;; ++place_) {
        if (place_ >= text_.size()) return false;
        if (text_[place_] == '\n') ++line_;
        if (text_[place_] != '"') {
          field += text_[place_];
        } else if (place_ + 1 < text_.size() && text_[place_ + 1] == '"') {
          field += text_[++place_];
        } else {
          ++place_;
          break;
        }
      }
    }
    while (place_ < text_.size() && !IsEnd(text_[place_])) field += text_[place_++];
    row_.push_back(std::move(field));
    return true;
  }

  bool IsEnd(char c) const { return c == delimiter_ || c == '\n' || c == '\r'; }

  /// Lines end with LF, CR LF or CR; one without anything in it is no row.
  void EndLine() {
    if (place_ < text_.size() && text_[place_] == '\r') ++place_;
    if (place_ < text_.size() && text_[place_] == '\n') ++place_;
    ++line_;
    if (row_.size() > 1 || !row_.front().empty()) EndRow();
    row_.clear();
  }

  void EndRow() {
    rows_.push_back(std::move(row_));
    lines_.push_back(row_line_);
  }

  std::string_view text_;
  char delimiter_;
  std::size_t place_ = 0, line_ = 1, row_line_ = 1;
  std::vector<std::string> row_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> lines_;
};

/// Another encoding would give fields that are nobody's name.
Status CheckIsUtf8(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return UsageError(say::text_is_utf16(), say::save_text_as_utf8());
  if (text.find('\0') != text.npos) return UsageError(say::it_is_no_text(), say::save_text_as_utf8());
  if (const auto line = FirstLineNotUtf8(text))
    return UsageError(say::text_is_not_utf8(*line), say::save_text_as_utf8());
  return Unit{};
}

}  // namespace

Result<CsvTable> ParseCsv(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (const Status readable = CheckIsUtf8(text); !readable) return readable.error();
  CsvTable table;
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  // A line for Excel alone, in front of the header.
  if (first.size() == 5 && InLowerCase(std::string(first.substr(0, 4))) == "sep=") {
    table.delimiter = first.back();
    if (const Status parsed = CsvParser(text, table.delimiter).Parse(table); !parsed) return parsed.error();
    table.rows.erase(table.rows.begin());
    table.lines.erase(table.lines.begin());
    return table;
  }
  for (const char delimiter : {';', '\t'}) {
    if (std::ranges::count(first, delimiter) > std::ranges::count(first, table.delimiter)) {
      table.delimiter = delimiter;
    }
  }
  const Status parsed = CsvParser(text, table.delimiter).Parse(table);
  if (!parsed) return parsed.error();
  return table;
}

std::string CsvField(std::string_view text) {
  std::string field = NeedsApostrophe(text) ? "\"'" : "\"";
  for (const char c : CutToFit(Printable(text))) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + "\"";
}

std::string CsvNumber(double number) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

std::string CsvLine(const std::vector<std::string>& fields, char delimiter) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += delimiter;
    line += fields[i];
  }
  return line + "\r\n";
}

std::string CsvValue(std::string_view field) {
  return std::string(field.starts_with('\'') ? field.substr(1) : field);
}

bool HasFieldsBesideHeader(const CsvTable& table, std::size_t row) {
  const std::vector<std::string>& fields = table.rows[row];
  const std::size_t columns = table.rows[0].size();
  return fields.size() > columns &&
         std::any_of(fields.begin() + static_cast<std::ptrdiff_t>(columns), fields.end(),
                     [](const std::string& field) { return !field.empty(); });
}

}  // namespace warplings
