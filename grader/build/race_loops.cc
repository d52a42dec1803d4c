// SPDX-License-Identifier: Apache-2.0
#include "grader/build/race_loops.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool WaitsBetween(const Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) {
    if (tokens[at].text.starts_with("__syncthreads") || tokens[at].text == "sync") return true;
  }
  return false;
}

std::size_t FirstOfLine(const Tokens& tokens, int line) {
  const auto found = std::ranges::find(tokens, line, &CodeToken::line);
  return static_cast<std::size_t>(found - tokens.begin());
}

/// A function, or a lambda that has a name.
struct NamedBody {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< Its braces.
};

/// The name of the function or lambda whose body begins at that brace; empty if it is no such body.
std::string NameOfBody(const Tokens& tokens, std::size_t brace) {
  if (brace == 0 || tokens[brace - 1].text != ")") return "";
  int depth = 0;
  std::size_t at = brace - 1;
  for (; at > 0; --at) {
    if (tokens[at].text == ")") ++depth;
    if (tokens[at].text == "(" && --depth == 0) break;
  }
  if (at < 2) return "";
  const std::string& before = tokens[at - 1].text;
  if (IsName(before)) return IsOneOf(before, {"for", "while", "if", "switch", "constexpr"}) ? "" : before;
  if (before != "]") return "";
  for (--at; at > 2 && tokens[at].text != "["; --at) continue;
  return tokens[at - 1].text == "=" && IsName(tokens[at - 2].text) ? tokens[at - 2].text : "";
}

std::size_t ClosingBrace(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].text == "{") ++depth;
    if (tokens[at].text == "}" && --depth == 0) break;
  }
  return at;
}

/// The innermost one around that token; empty: there is none.
NamedBody NamedBodyAround(const Tokens& tokens, std::size_t token) {
  NamedBody innermost;
  for (std::size_t at = 0; at < token && at < tokens.size(); ++at) {
    if (tokens[at].text != "{") continue;
    std::string name = NameOfBody(tokens, at);
    if (name.empty()) continue;
    const std::size_t end = ClosingBrace(tokens, at);
    if (token < end) innermost = {std::move(name), at, end};
  }
  return innermost;
}

/// Where the store is made, seen from the function that reads: the store itself, or each call of what stores.
std::vector<std::size_t> PlacesOf(const Tokens& tokens, std::size_t store, std::size_t read) {
  const NamedBody body = NamedBodyAround(tokens, store);
  if (body.name.empty() || (body.begin < read && read < body.end)) return {store};
  std::vector<std::size_t> calls;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool is_inside = body.begin < at && at < body.end;
    if (tokens[at].text == body.name && tokens[at + 1].text == "(" && !is_inside) calls.push_back(at);
  }
  return calls;
}

}  // namespace

std::optional<SourceLoop> LoopOfNextPass(std::string_view source, int store_line, int read_line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::size_t store = FirstOfLine(tokens, store_line), read = FirstOfLine(tokens, read_line);
  if (store == tokens.size() || read == tokens.size()) return std::nullopt;
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  std::optional<SourceLoop> only;
  for (const std::size_t place : PlacesOf(tokens, store, read)) {
    std::optional<SourceLoop> innermost;
    for (const CodeLoop& loop : loops) {
      if (!loop.Has(place) || !loop.Has(read)) continue;
      if (WaitsBetween(tokens, read, loop.end) || WaitsBetween(tokens, loop.begin, place)) continue;
      innermost = SourceLoop{tokens[loop.begin].line, loop.variable};
    }
    if (innermost && only && !(*only == *innermost)) return std::nullopt;
    if (innermost) only = innermost;
  }
  return only;
}

bool AddsInAllThreads(std::string_view source, int line) {
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  std::optional<std::size_t> adding;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& each = statements[i];
    if (each.kind != CodeStatement::Kind::kSimple || tokens[each.begin].line != line) continue;
    if (each.is_condition || adding) return false;
    adding = i;
  }
  if (!adding) return false;
  const CodeStatement& statement = statements[*adding];
  std::vector<std::string> arrays;
  bool adds = false;
  int depth = 0;
  for (std::size_t at = statement.begin; at < statement.end; ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"?", "&&", "||"})) return false;
    depth += text == "[" ? 1 : text == "]" ? -1 : 0;
    if (text == "[" && at > 0) arrays.push_back(tokens[at - 1].text);
    adds |= depth == 0 && IsOneOf(text, {"+=", "+"}) && !arrays.empty();
  }
  const bool is_of_one_array =
      arrays.size() > 1 && std::ranges::count(arrays, arrays.front()) == std::ssize(arrays);
  if (!adds || !is_of_one_array) return false;
  bool is_in_loop = false;
  const std::vector<std::size_t> around = Around(statements, *adding);
  for (const std::size_t each : around) {
    if (statements[each].kind == CodeStatement::Kind::kBranch) return false;
    is_in_loop |= statements[each].kind == CodeStatement::Kind::kLoop;
  }
  // What comes before it and leaves keeps threads away, too.
  const std::size_t body = statements[around.back()].begin;
  for (std::size_t at = body; at < statement.begin; ++at) {
    if (IsOneOf(tokens[at].text, {"return", "break", "continue"})) return false;
  }
  return is_in_loop && IsDeclaredWith(tokens, body, {"__global__"});
}

}  // namespace warplings
