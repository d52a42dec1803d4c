// SPDX-License-Identifier: Apache-2.0
#include "grader/build/strayed_reads.h"

#include <algorithm>
#include <cstddef>
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

}  // namespace

bool ReadsByMistake(std::string_view source, int storing_line, int reading_line, const std::string& array) {
  if (storing_line <= 0 || reading_line <= 0 || storing_line == reading_line || array.empty()) return false;
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const Tokens reads = StatementsAt(tokens, reading_line);
  return Indexes(StatementsAt(tokens, storing_line), array) && Indexes(reads) && !Names(reads, array) &&
         !IsUsedAsPointer(tokens, array);
}

}  // namespace warplings
