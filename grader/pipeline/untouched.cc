// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/untouched.h"

#include <algorithm>

#include "grader/base/read_file.h"
#include "grader/core/layout.h"
#include "grader/workbook/laid_down.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

std::string_view WithoutIndent(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string_view> LinesOf(std::string_view source) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    lines.push_back(WithoutIndent(source.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

/// The number of "// TODO 1: ..." or "// TODO 1, register tiling: ...", 0 of "// TODO: ...". Nothing for a
/// comment that only mentions TODOs.
std::optional<std::size_t> TodoNumber(std::string_view line) {
  constexpr std::string_view kTodo = "// TODO";
  if (!line.starts_with(kTodo)) return std::nullopt;
  line.remove_prefix(kTodo.size());
  std::size_t number = 0;
  if (line.size() > 2 && line[0] == ' ' && line[1] >= '1' && line[1] <= '9') {
    number = static_cast<std::size_t>(line[1] - '0');
    line.remove_prefix(2);
  }
  if (line.starts_with(":") || (number > 0 && line.starts_with(","))) return number;
  return std::nullopt;
}

std::string PathInTree(const Exercise& exercise, const fs::path& file) {
  return (fs::path("chapters") / exercise.chapter / file.filename()).string();
}

/// True if the list, or the record of a workbook, has this version of the file.
using Knows = bool (*)(const fs::path& root, const std::string& path, const std::string& hash);

bool WorkbookHas(const fs::path& root, const std::string& path, const std::string& hash) {
  const auto laid_down = ReadLaidDown(root);
  return laid_down && laid_down->Has(path, hash);
}

bool IsOwnTree(const fs::path& workbook_root) {
  std::error_code fault;
  return !ThisLayout().is_installed && fs::equivalent(workbook_root, ThisLayout().root, fault);
}

}  // namespace

std::optional<FirstTodo> FindFirstTodo(std::string_view source) {
  const std::vector<std::string_view> lines = LinesOf(source);
  const auto is_comment = [](std::string_view line) { return line.starts_with("//"); };
  const auto code =
      std::ranges::find_if_not(lines, [&](auto line) { return line.empty() || is_comment(line); });
  std::optional<std::size_t> first;
  std::size_t smallest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto number = TodoNumber(lines[i]);
    if (!number || (first && *number >= smallest)) continue;
    first = i;
    smallest = *number;
  }
  if (!first || *first < static_cast<std::size_t>(code - lines.begin())) return std::nullopt;
  FirstTodo todo{.number = smallest, .line = static_cast<int>(*first) + 1, .text = {}};
  for (std::size_t i = *first; i < lines.size() && is_comment(lines[i]); ++i) {
    if (i > *first && TodoNumber(lines[i])) break;
    todo.text.emplace_back(lines[i]);
  }
  return todo;
}

bool KnowsStarters(const fs::path& workbook_root) {
  return !workbook_root.empty() && (IsOwnTree(workbook_root) || IsStudentWorkbook(workbook_root));
}

bool IsUntouched(const Submission& submission, const fs::path& workbook_root) {
  if (!submission.is_workbook_file) return false;
  if (!KnowsStarters(workbook_root)) return false;
  const Knows knows = IsOwnTree(workbook_root) ? StarterListHas : WorkbookHas;
  const Exercise& exercise = *submission.exercise;
  const fs::path answers = fs::path(exercise.starter).replace_extension(".toml");
  const auto is_known = [&](const fs::path& file, const std::string& text) {
    return knows(workbook_root, PathInTree(exercise, file), HashOfText(text));
  };
  return is_known(exercise.starter, submission.source) &&
         (!exercise.has_answers || is_known(answers, submission.answers));
}

}  // namespace warplings
