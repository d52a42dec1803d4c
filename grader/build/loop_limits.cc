// SPDX-License-Identifier: Apache-2.0
#include "grader/build/loop_limits.h"

#include <cstddef>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// Whether the name at `at` is declared there, and set to 0: `int limit = 0;`.
bool IsSetToZero(const Tokens& tokens, std::size_t at) {
  return at > 0 && IsNumberType(tokens[at - 1].text) && IsAt(tokens, at + 1, "=") &&
         IsAt(tokens, at + 2, "0") && (IsAt(tokens, at + 3, ";") || IsAt(tokens, at + 3, ","));
}

/// Whether the name is only compared or computed with there.
bool IsOnlyRead(const Tokens& tokens, std::size_t at) {
  const std::string& before = at > 0 ? tokens[at - 1].text : tokens[at].text;
  if (at + 1 >= tokens.size() ||
      IsOneOf(tokens[at + 1].text, {"=", "+=", "-=", "*=", "/=", "++", "--", "[", "(", ".", "->"}))
    return false;
  return IsOneOf(before, {"<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/"});
}

/// Where the variable is set to 0, if nothing changes it, or may; 0 if that is not certain.
int LineOfZero(const Tokens& tokens, const std::string& name) {
  int line = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != name) continue;
    const bool is_zero = IsSetToZero(tokens, at);
    if (is_zero ? line > 0 : !IsOnlyRead(tokens, at)) return 0;
    if (is_zero) line = tokens[at].line;
  }
  return line;
}

/// The limit of `for (int i = …; i < limit; …`, a name alone; the end if the header is another one.
std::size_t LimitAt(const Tokens& tokens, const CodeLoop& loop) {
  if (loop.variable.empty()) return tokens.size();
  for (std::size_t at = loop.begin; at + 3 < loop.body; ++at) {
    const bool is_limit = tokens[at].text == ";" && tokens[at + 1].text == loop.variable &&
                          tokens[at + 2].text == "<" && IsName(tokens[at + 3].text) &&
                          IsAt(tokens, at + 4, ";");
    if (is_limit) return at + 3;
  }
  return tokens.size();
}

bool BeginsAtZero(const Tokens& tokens, const CodeLoop& loop) {
  for (std::size_t at = loop.begin; at + 2 < loop.body; ++at) {
    if (tokens[at].text == loop.variable)
      return tokens[at + 1].text == "=" && tokens[at + 2].text == "0" && IsAt(tokens, at + 3, ";");
  }
  return false;
}

/// The line of a loop that stores `array[k]` for all k below `limit`, or every so many of these; 0 if there
/// is none.
int LineThatFills(const Tokens& tokens, const std::vector<CodeLoop>& loops, const std::string& array,
                  const std::string& limit) {
  for (const CodeLoop& loop : loops) {
    const std::size_t end = LimitAt(tokens, loop);
    if (end == tokens.size() || tokens[end].text != limit) continue;
    for (std::size_t at = loop.body; at + 4 < loop.end; ++at) {
      const bool is_store = tokens[at].text == array && tokens[at + 1].text == "[" &&
                            tokens[at + 2].text == loop.variable && tokens[at + 3].text == "]" &&
                            tokens[at + 4].text == "=";
      if (is_store) return tokens[at].line;
    }
  }
  return 0;
}

}  // namespace

std::optional<IdleLoop> FindIdleLoop(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const CodeLoop& loop : LoopsOf(tokens)) {
    const std::size_t limit = LimitAt(tokens, loop);
    if (limit == tokens.size() || !BeginsAtZero(tokens, loop)) continue;
    const int zero = LineOfZero(tokens, tokens[limit].text);
    if (zero > 0) return IdleLoop{tokens[loop.begin].line, loop.variable, tokens[limit].text, zero};
  }
  return std::nullopt;
}

std::optional<ReachedEnd> FindReachedEnd(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  for (std::size_t at = 1; at + 6 < tokens.size(); ++at) {
    const bool is_test = IsOneOf(tokens[at - 1].text, {"(", "&&", "||", "?", "=", ","}) &&
                         IsName(tokens[at].text) && tokens[at + 1].text == "<=" &&
                         IsName(tokens[at + 2].text) && tokens[at + 3].text == "&&" &&
                         IsName(tokens[at + 4].text) && tokens[at + 5].text == "[" &&
                         tokens[at + 6].text == tokens[at].text && IsAt(tokens, at + 7, "]");
    if (!is_test) continue;
    const std::string &limit = tokens[at + 2].text, &array = tokens[at + 4].text;
    const int filled = LineThatFills(tokens, loops, array, limit);
    if (filled > 0) return ReachedEnd{tokens[at].line, tokens[at].text, limit, array, filled};
  }
  return std::nullopt;
}

}  // namespace warplings
