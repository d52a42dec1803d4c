// SPDX-License-Identifier: Apache-2.0
#include "grader/base/fit.h"

#include <algorithm>
#include <sstream>

#include "grader/base/characters.h"
#include "grader/base/replace.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

/// Lines of a table's cell. Parts between commas stay whole where each has room: "index 3, last index 24" is
/// not broken before the 24.
std::vector<std::string> CellLines(const std::string& cell, std::size_t width) {
  constexpr std::string_view kNoBreak = "\u00a0";
  std::string glued;
  for (std::size_t at = 0, end = 0; at < cell.size(); at = end) {
    const std::size_t comma = cell.find(", ", at);
    end = comma == std::string::npos ? cell.size() : comma + 2;
    const std::string part = cell.substr(at, end - at - (comma == std::string::npos ? 0 : 1));
    if (DisplayWidth(part) > width) return WrappedLines(cell, width, 0);
    glued += ReplaceAll(part, " ", kNoBreak);
    if (comma != std::string::npos) glued += " ";
  }
  std::vector<std::string> lines = WrappedLines(glued, width, 0);
  for (std::string& line : lines) line = ReplaceAll(line, kNoBreak, " ");
  return lines;
}

/// Turns each row after the first, which holds the headers, into lines of its own. A last cell that is too
/// long, such as a note, is wrapped.
std::string Blocks(const std::vector<std::vector<std::string>>& rows, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::size_t widest = 0;
  for (const std::string& header : rows[0]) widest = std::max(widest, DisplayWidth(header));
  std::string out;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    out += CutTo(margin + (rows[i].empty() ? "" : rows[i][0]), width) + "\n";
    for (std::size_t j = 1; j < rows[i].size(); ++j) {
      if (rows[i][j].empty()) continue;
      std::string header = j < rows[0].size() && !rows[0][j].empty() ? rows[0][j] + "  " : "";
      if (!header.empty()) header.append(widest - DisplayWidth(rows[0][j]), ' ');
      std::string before = margin + "  " + header;
      const std::size_t used = DisplayWidth(before);
      if (j + 1 < rows[i].size() || used >= width) {
        out += CutTo(before + rows[i][j], width) + "\n";
        continue;
      }
      for (const std::string& line : CellLines(rows[i][j], width - used)) {
        out += CutTo(before + line, width) + "\n";
        before.assign(used, ' ');
      }
    }
  }
  return out;
}

}  // namespace

std::string CutTo(std::string_view line, std::size_t width) {
  constexpr std::string_view kEllipsis = "...";
  if (DisplayWidth(line) <= width) return std::string(line);
  const std::size_t room = width > kEllipsis.size() ? width - kEllipsis.size() : 0;
  std::size_t end = 0, columns = 0;
  while (end < line.size()) {
    const Character next = FirstCharacter(line.substr(end));
    columns += static_cast<std::size_t>(ColumnsOf(next.code));
    if (columns > room) break;
    end += next.bytes;
  }
  return std::string(line.substr(0, end)) + std::string(kEllipsis.substr(0, width));
}

std::string CutPathTo(std::string_view path, std::size_t width) {
  constexpr std::string_view kEllipsis = "...";
  if (DisplayWidth(path) <= width) return std::string(path);
  const std::size_t room = width - std::min(width, kEllipsis.size());
  std::string_view end = path;
  for (std::size_t slash = end.find('/', 1); DisplayWidth(end) > room && slash != end.npos;
       slash = end.find('/', 1)) {
    end.remove_prefix(slash);
  }
  while (DisplayWidth(end) > room) end.remove_prefix(FirstCharacter(end).bytes);
  return std::string(kEllipsis.substr(0, width)) + std::string(end);
}

std::vector<std::string> WrappedLines(std::string_view text, std::size_t width, std::size_t indent) {
  std::istringstream stream(Wrap(text, width, indent));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    // What is wider than a line after wrapping is one word.
    const std::string_view word = std::string_view(line).substr(std::min(indent, line.size()));
    const bool is_path = DisplayWidth(line) > width && width > indent && word.find('/') != word.npos;
    lines.push_back(is_path ? std::string(indent, ' ') + CutPathTo(word, width - indent)
                            : CutTo(line, width));
  }
  return lines;
}

std::string AlignWithin(const std::vector<std::vector<std::string>>& rows, std::size_t indent,
                        std::size_t width, LastColumn last) {
  constexpr std::size_t kLeastRoom = 20;  // A few words.
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::size_t before_last = indent;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) before_last += widths[i] + 2;
  if (widths.empty() || before_last + widths.back() <= width) return AlignColumns(rows, indent);
  if (before_last + kLeastRoom > width) return Blocks(rows, indent, width);
  constexpr std::size_t kMostLines =
      2;  // A narrow column of words is hard to read: what is longer stands below its row.
  std::vector<std::vector<std::string>> fitting;
  std::vector<std::string> below;  // Of each row.
  for (const auto& row : rows) {
    fitting.push_back(row);
    below.emplace_back();
    if (row.size() < widths.size()) continue;
    if (last == LastColumn::kCode) {
      fitting.back().back() = CutTo(row.back(), width - before_last);
      continue;
    }
    const auto lines = CellLines(row.back(), width - before_last);
    fitting.back().back() = lines.empty() ? "" : CutTo(lines[0], width - before_last);
    if (lines.size() > kMostLines) {
      fitting.back().back() = "";
      for (const std::string& line : WrappedLines(row.back(), width, indent + 2)) below.back() += line + "\n";
    } else if (lines.size() > 1) {
      fitting.emplace_back(widths.size());
      fitting.back().back() = CutTo(lines[1], width - before_last);
      below.emplace_back();
    }
  }
  std::string out;
  std::istringstream aligned(AlignColumns(fitting, indent));
  std::string line;
  for (std::size_t i = 0; std::getline(aligned, line); ++i) out += line + "\n" + below[i];
  return out;
}

}  // namespace warplings
