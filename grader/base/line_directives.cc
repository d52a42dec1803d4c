// SPDX-License-Identifier: Apache-2.0
#include "grader/base/line_directives.h"

#include <algorithm>
#include <charconv>

namespace warplings {
namespace {

void SkipBlanks(std::string_view& text) {
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\r\f\v");
    text.remove_prefix(begin == std::string_view::npos ? text.size() : begin);
    if (!text.starts_with("/*")) return;
    const std::size_t end = text.find("*/", 2);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 2);
  }
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The text in quotes at the front, without its backslashes; nothing if there is none.
std::optional<std::string> Quoted(std::string_view text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string name;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    name += text[i];
  }
  return name;
}

}  // namespace

LineDirectives::LineDirectives(std::string_view source) {
  int line = 0;
  std::string logical;
  for (std::string_view rest = source; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view physical = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line;
    if (physical.ends_with('\r')) physical.remove_suffix(1);
    const bool goes_on = physical.ends_with('\\');
    if (goes_on) physical.remove_suffix(1);
    logical += physical;
    if (goes_on) continue;
    Add(logical, line + 1);
    logical.clear();
  }
  if (!stretches_.empty()) source_ = source;
}

void LineDirectives::Add(std::string_view text, int next_line) {
  SkipBlanks(text);
  if (!TakePrefix(text, "#") && !TakePrefix(text, "%:") && !TakePrefix(text, "?\?=")) return;
  SkipBlanks(text);
  const bool has_word = TakePrefix(text, "line");
  SkipBlanks(text);
  Stretch stretch;
  stretch.first = next_line;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), stretch.claimed);
  if (fault != std::errc() && !has_word) return;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  SkipBlanks(text);
  const bool is_plain = fault == std::errc() && (text.empty() || text.starts_with("//"));
  if (auto name = Quoted(text)) {
    stretch.file = std::move(*name);
  } else if (is_plain && !stretches_.empty()) {
    stretch.file = stretches_.back().file;
    stretch.is_of_a_macro = stretches_.back().is_of_a_macro;
  } else if (!is_plain) {
    stretch.is_of_a_macro = true;
  }
  if (stretches_.empty()) stretches_.emplace_back();
  stretches_.push_back(std::move(stretch));
}

/// As a whole, or without the folders that a compiler puts before it.
bool LineDirectives::IsQuoted(std::string_view file) const {
  while (!file.empty()) {
    if (source_.find('"' + std::string(file) + '"') != std::string::npos) return true;
    file.remove_prefix(std::min(file.find('/', 1), file.size()));
    if (file.size() > 1) file.remove_prefix(1);
    if (file == "/") return false;
  }
  return false;
}

bool LineDirectives::HasName(const Stretch& stretch, std::string_view file) const {
  if (stretch.is_of_a_macro) return IsQuoted(file);
  if (stretch.file.empty() || file.empty()) return stretch.file == file;
  return file == stretch.file || file.ends_with('/' + stretch.file);
}

std::optional<int> LineDirectives::Find(std::string_view file, int line) const {
  std::optional<int> first_of_name;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    if (!HasName(stretch, file)) continue;
    if (!first_of_name) first_of_name = stretch.first;
    const long long at = static_cast<long long>(stretch.first) + line - stretch.claimed;
    // The directive itself stands before its stretch.
    const bool is_before_next = i + 1 == stretches_.size() || at < stretches_[i + 1].first - 1;
    if (at >= stretch.first && is_before_next) return static_cast<int>(at);
  }
  return first_of_name;
}

}  // namespace warplings
