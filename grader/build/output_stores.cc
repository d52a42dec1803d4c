// SPDX-License-Identifier: Apache-2.0
#include "grader/build/output_stores.h"

#include <algorithm>
#include <map>
#include <vector>

#include "grader/build/calls.h"
#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// The name of the array in the only line that stores to it.
std::optional<std::size_t> OnlyStore(const Code& tokens, const std::string& array) {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != array || tokens[at + 1].text != "[") continue;
    const std::size_t behind = BehindSubscripts(tokens, at + 1);
    if (!IsAt(tokens, behind, "=") && (behind >= tokens.size() || !IsCompoundAssignment(tokens[behind].text)))
      continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

/// Whether the function around that token has a parameter that is a number of this name.
bool HasParameter(const Code& tokens, std::size_t at, std::string_view name) {
  const auto function = EnclosingFunction(tokens, at);
  const auto list = function ? ParametersAt(tokens, *function + 1) : std::nullopt;
  return list && std::ranges::any_of(list->parameters, [&](const Parameter& each) {
           return each.name == name && each.type.stars == 0;
         });
}

/// The passes of `for (int c = 0; c < 4; ++c)`; 0 if the loop is another one.
int PassesOf(const Code& tokens, const CodeLoop& loop, const std::map<std::string, int>& numbers) {
  const std::string& c = loop.variable;
  if (c.empty() || !IsAt(tokens, loop.begin, "for")) return 0;
  const std::vector<std::string> begin = {"for", "(", "int", c, "=", "0", ";", c, "<"};
  for (std::size_t i = 0; i < begin.size(); ++i) {
    if (!IsAt(tokens, loop.begin + i, begin[i])) return 0;
  }
  const std::size_t bound = loop.begin + begin.size();
  const bool counts_up = (IsAt(tokens, bound + 2, "++") && IsAt(tokens, bound + 3, c)) ||
                         (IsAt(tokens, bound + 2, c) && IsAt(tokens, bound + 3, "++"));
  if (!IsAt(tokens, bound + 1, ";") || !counts_up || !IsAt(tokens, bound + 4, ")")) return 0;
  for (std::size_t i = loop.body; i < loop.end; ++i) {
    if (IsOneOf(tokens[i].text, {"break", "return", "goto"})) return 0;
    const bool is_changed =
        tokens[i].text == c && i + 1 < loop.end &&
        (IsOneOf(tokens[i + 1].text, {"=", "++", "--"}) || IsCompoundAssignment(tokens[i + 1].text) ||
         IsOneOf(tokens[i - 1].text, {"++", "--"}));
    if (is_changed) return 0;
  }
  const std::string& written = tokens[bound].text;
  if (const auto named = numbers.find(written); named != numbers.end()) return named->second;
  constexpr std::size_t kDigits = 4;
  const bool is_number = written.size() <= kDigits && std::ranges::all_of(written, [](unsigned char digit) {
                           return digit >= '0' && digit <= '9';
                         });
  return is_number ? std::stoi(written) : 0;
}

/// Whether a comparison in [begin, end) is `column op side`, alone or joined with others.
bool Compares(const Code& tokens, std::size_t begin, std::size_t end, const std::string& column,
              std::string_view sign, const std::string& side) {
  for (std::size_t i = begin + 1; i + 3 <= end && i + 3 < tokens.size(); ++i) {
    if (tokens[i].text == column && tokens[i + 1].text == sign && tokens[i + 2].text == side &&
        IsOneOf(tokens[i - 1].text, {"(", "&&", "||"}) && IsOneOf(tokens[i + 3].text, {")", "&&", "||"}))
      return true;
  }
  return false;
}

/// One past the statement or the block that begins at `at`.
std::size_t BehindBody(const Code& tokens, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < tokens.size(); ++i) {
    depth += IsOneOf(tokens[i].text, {"{", "("}) ? 1 : IsOneOf(tokens[i].text, {"}", ")"}) ? -1 : 0;
    if (depth == 0 && IsOneOf(tokens[i].text, {";", "}"})) return i + 1;
  }
  return tokens.size();
}

}  // namespace

std::optional<FixedLoop> FindFixedLoop(std::string_view source, const std::string& array,
                                       std::string_view parameter) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const Code tokens = TokensOf(code);
  const auto store = OnlyStore(tokens, array);
  if (!store || !HasParameter(tokens, *store, parameter)) return std::nullopt;
  std::vector<CodeLoop> around;
  for (const CodeLoop& each : LoopsOf(tokens)) {
    if (each.Has(*store)) around.push_back(each);
  }
  if (around.size() != 1) return std::nullopt;
  const int passes = PassesOf(tokens, around.front(), NamedNumbers(code));
  if (passes == 0) return std::nullopt;
  return FixedLoop{tokens[around.front().begin].line, around.front().variable, passes};
}

std::optional<OtherSideGuard> FindOtherSideGuard(std::string_view source, const std::string& array,
                                                 const std::string& other, const std::string& length) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Code tokens = TokensOf(WithoutComments(source));
  const auto store = OnlyStore(tokens, array);
  if (!store || !HasParameter(tokens, *store, other) || !HasParameter(tokens, *store, length))
    return std::nullopt;
  // P[row * l + col]
  const std::size_t at = *store;
  const bool is_element = IsAt(tokens, at + 3, "*") && IsAt(tokens, at + 4, length) &&
                          IsAt(tokens, at + 5, "+") && IsAt(tokens, at + 7, "]") &&
                          IsName(tokens[at + 2].text) && IsName(tokens[at + 6].text);
  if (!is_element) return std::nullopt;
  const std::string& column = tokens[at + 6].text;
  const std::size_t function = *EnclosingFunction(tokens, at);
  std::optional<OtherSideGuard> found;
  for (std::size_t i = function; i < at; ++i) {
    if (tokens[i].text != "if" || !IsAt(tokens, i + 1, "(")) continue;
    const std::size_t body = BehindParentheses(tokens, i + 1);
    const bool is_around = body <= at && at < BehindBody(tokens, body);
    const bool leaves =
        IsAt(tokens, body, "return") || (IsAt(tokens, body, "{") && IsAt(tokens, body + 1, "return"));
    if (!is_around && !leaves) continue;
    const std::string_view sign = is_around ? "<" : ">=";
    if (Compares(tokens, i + 1, body, column, sign, length)) return std::nullopt;
    if (Compares(tokens, i + 1, body, column, sign, other)) found = OtherSideGuard{tokens[i].line, column};
  }
  return found;
}

std::optional<OutputStores> FindOutputStores(std::string_view source, const std::string& array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  int outside = 0;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != array || tokens[at + 1].text != "[") continue;
    const std::size_t behind = BehindSubscripts(tokens, at + 1);
    if (!IsAt(tokens, behind, "=") && (behind >= tokens.size() || !IsCompoundAssignment(tokens[behind].text)))
      continue;
    const auto loop = std::ranges::find_if(loops, [&](const CodeLoop& each) { return each.Has(at); });
    if (loop != loops.end()) return OutputStores{tokens[loop->begin].line};
    ++outside;
  }
  return outside == 1 ? std::optional(OutputStores{}) : std::nullopt;
}

}  // namespace warplings
