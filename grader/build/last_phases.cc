// SPDX-License-Identifier: Apache-2.0
#include "grader/build/last_phases.h"

#include <map>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {

namespace {

/// Whether a condition asks for the variable that gets this value: what is left over may be replaced there.
bool IsAskedFor(const std::vector<CodeToken>& tokens, std::size_t value) {
  if (value < 2 || tokens[value - 1].text != "=") return false;
  const std::string& name = tokens[value - 2].text;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name) continue;
    const std::string &before = tokens[at - 1].text, &after = tokens[at + 1].text;
    const bool alone = before == "(" && after == ")";
    if (alone || IsOneOf(before, {"!", "&&", "||"}) ||
        IsOneOf(after, {"==", "!=", ">", ">=", "?", "&&", "||"}))
      return true;
  }
  return false;
}

}  // namespace

std::optional<Remainder> FindRemainder(std::string_view source, std::initializer_list<std::string_view> sides,
                                       std::int64_t tile, std::string_view tile_name) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const std::vector<CodeToken> tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  const auto is_tile = [&](const std::string& text) {
    const auto named = numbers.find(text);
    if (!tile_name.empty() && text == tile_name) return true;
    return text == std::to_string(tile) || (named != numbers.end() && named->second == tile);
  };
  std::optional<Remainder> found;
  for (std::size_t at = 1; at + 3 < tokens.size(); ++at) {
    const bool is_value =
        IsOneOf(tokens[at - 1].text, {"=", "?", ":"}) && IsOneOf(tokens[at + 3].text, {";", ":"});
    if (!is_value || !IsOneOf(tokens[at].text, sides) || tokens[at + 1].text != "%" ||
        !is_tile(tokens[at + 2].text))
      continue;
    if (found || IsAskedFor(tokens, at)) return std::nullopt;
    found = Remainder{tokens[at].line, TextOf(tokens, at, at + 3)};
  }
  return found;
}

}  // namespace warplings
