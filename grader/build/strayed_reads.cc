// SPDX-License-Identifier: Apache-2.0
#include "grader/build/strayed_reads.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool EndsStatement(const std::string& text) {
  return IsOneOf(text, {";", "{", "}"});
}

/// The tokens of the statements that have a token in the line.
Tokens StatementsAt(const Tokens& tokens, int line) {
  const auto is_there = [&](const CodeToken& each) { return each.line == line; };
  const auto ends = [](const CodeToken& each) { return EndsStatement(each.text); };
  const auto first = std::ranges::find_if(tokens, is_there);
  auto last = first;
  for (auto at = first; at != tokens.end(); ++at) {
    if (is_there(*at)) last = at;
  }
  const auto begin = std::find_if(std::make_reverse_iterator(first), tokens.rend(), ends).base();
  return {begin, std::find_if(last, tokens.end(), ends)};
}

/// Whether one of the tokens from the first on is `array`, or, if none is given, the name of anything that is
/// indexed.
bool Indexes(const Tokens& tokens, const std::string& array = "") {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool is_meant = array.empty() ? IsName(tokens[at].text) : tokens[at].text == array;
    if (is_meant && IsAt(tokens, at + 1, "[")) return true;
  }
  return false;
}

/// How many subscripts are in a range that BehindSubscripts found.
std::size_t SubscriptsIn(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::size_t subscripts = 0;
  for (std::size_t at = begin; at < end; at = BehindBracket(tokens, at)) ++subscripts;
  return subscripts;
}

bool Names(const Tokens& tokens, const std::string& array) {
  return std::ranges::count(tokens, array, &CodeToken::text) > 0;
}

/// Whether a statement of device code uses the array other than by `array[...]`: as a pointer, of which other
/// names may come.
bool IsUsedAsPointer(const Tokens& tokens, const std::string& array) {
  bool of_device = false, in_body = false;
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"__global__", "__device__"})) of_device = true;
    if (text == "{") in_body = ++depth > 0 && of_device;
    if (text == "}" && --depth <= 0) of_device = in_body = false;
    if (text == ";" && !in_body) of_device = false;
    if (!in_body || text != array) continue;
    if (!IsAt(tokens, at + 1, "[") || (at > 0 && tokens[at - 1].text == "&")) return true;
  }
  return false;
}

/// The variables that are declared in shared memory, with the number of their extents: 0 of `int total`. What
/// is declared twice in two ways has one more than any use.
std::map<std::string, std::size_t> SharedVariables(const Tokens& tokens) {
  constexpr std::size_t kSeveral = 100;
  std::map<std::string, std::size_t> shared;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != "__shared__") continue;
    for (; at < tokens.size() && !EndsStatement(tokens[at].text); ++at) {
      if (!IsName(tokens[at].text)) continue;
      const std::size_t end = BehindSubscripts(tokens, at + 1);
      if (end >= tokens.size() || !IsOneOf(tokens[end].text, {";", ","})) continue;
      const std::size_t extents = SubscriptsIn(tokens, at + 1, end);
      const auto known = shared.try_emplace(tokens[at].text, extents).first;
      if (known->second != extents) known->second = kSeveral;
      at = end - 1;
    }
  }
  return shared;
}

/// Whether code uses the variable other than by an element of it, or by the variable where it has no extents:
/// as a pointer, of which other names may come. An atomic function gets an address, too.
bool IsUsedAsWhole(const Tokens& tokens, const std::string& name, std::size_t extents) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != name) continue;
    if (SubscriptsIn(tokens, at + 1, BehindSubscripts(tokens, at + 1)) != extents) return true;
    if (at < 3 || tokens[at - 1].text != "&") continue;
    if (tokens[at - 2].text != "(" || !tokens[at - 3].text.starts_with("atomic")) return true;
  }
  return false;
}

/// Whether a line of the preprocessor names one of the variables.
bool IsInMacro(const std::string& code, const std::map<std::string, std::size_t>& variables) {
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] != '#') continue;
    const Tokens tokens = TokensOf(line.substr(first + 1));
    if (std::ranges::any_of(variables, [&](const auto& each) { return Names(tokens, each.first); }))
      return true;
  }
  return false;
}

/// Whether the statements are a branch of an `else`, or before one.
bool IsBesideElse(const Tokens& tokens, int line) {
  std::size_t first = tokens.size(), last = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].line != line) continue;
    first = std::min(first, at);
    last = at;
  }
  while (first > 0 && !EndsStatement(tokens[first - 1].text)) --first;
  while (last < tokens.size() && !EndsStatement(tokens[last].text)) ++last;
  const std::size_t before = first > 1 && tokens[first - 1].text == "{" ? 2 : 1;
  const std::size_t after = IsAt(tokens, last + 1, "}") ? 2 : 1;
  const bool is_else = first >= before && tokens[first - before].text == "else";
  return is_else || IsAt(tokens, last + after, "else") ||
         HasAny(tokens, {first, std::min(last, tokens.size())}, {"else"});
}

}  // namespace

std::string ArrayLeftIn(std::string_view source, int line, const std::string& reached) {
  if (line <= 0 || reached.empty() || source.size() > kLongestSource) return "";
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, std::size_t> shared = SharedVariables(tokens);
  if (std::ranges::count(tokens, line, &CodeToken::line) == 0 || !shared.contains(reached)) return "";
  const bool has_pointers = std::ranges::any_of(
      shared, [&](const auto& each) { return IsUsedAsWhole(tokens, each.first, each.second); });
  // A macro may name what no token of the line does.
  if (has_pointers || IsInMacro(code, shared)) return "";
  const Tokens statement = StatementsAt(tokens, line);
  if (Names(statement, reached) || Names(statement, "__shared__") || IsBesideElse(tokens, line)) return "";
  std::string left;
  for (const auto& [name, extents] : shared) {
    if (!Names(statement, name)) continue;
    if (!left.empty() || extents == 0) return "";
    left = name;
  }
  return left;
}

bool ReadsByMistake(std::string_view source, int storing_line, int reading_line, const std::string& array) {
  if (storing_line <= 0 || reading_line <= 0 || storing_line == reading_line || array.empty()) return false;
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const Tokens reads = StatementsAt(tokens, reading_line);
  return Indexes(StatementsAt(tokens, storing_line), array) && Indexes(reads) && !Names(reads, array) &&
         !IsUsedAsPointer(tokens, array);
}

}  // namespace warplings
