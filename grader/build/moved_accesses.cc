// SPDX-License-Identifier: Apache-2.0
#include "grader/build/moved_accesses.h"

#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// Where the function ends whose body has the token at `at`; `at` itself if it is in none.
std::size_t EndOfFunction(const Tokens& tokens, std::size_t at) {
  std::vector<bool> is_function;  // Of each brace that is open.
  bool was_inside = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (text == "{") is_function.push_back(i > 0 && tokens[i - 1].text == ")");
    if (text == "}" && !is_function.empty()) is_function.pop_back();
    bool is_inside = false;
    for (const bool each : is_function) is_inside = is_inside || each;
    if (i == at && !is_inside) return at;
    if (i >= at && was_inside && !is_inside) return i;
    was_inside = is_inside;
  }
  return tokens.size();
}

/// Whether the token at `at` multiplies, as behind a name, a number or a bracket; otherwise `*` is an access.
bool Multiplies(const Tokens& tokens, std::size_t at) {
  if (at == 0) return false;
  const char last = tokens[at - 1].text.back();
  return std::isalnum(static_cast<unsigned char>(last)) != 0 || last == '_' || last == ')' || last == ']';
}

/// `x` of `threadIdx.x` is no array.
bool IsArray(const Tokens& tokens, std::size_t at, const std::string& array) {
  return tokens[at].text == array && (at == 0 || tokens[at - 1].text != ".");
}

bool MayAccess(const Tokens& tokens, std::size_t at, const std::string& array) {
  const std::string& text = tokens[at].text;
  return IsArray(tokens, at, array) || text == "[" || text == "->" ||
         (text == "*" && !Multiplies(tokens, at));
}

}  // namespace

int LineOfMovedAccess(std::string_view source, int line, const std::string& array) {
  if (line <= 0 || array.empty() || source.size() > kLongestSource) return 0;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::size_t first = 0;
  while (first < tokens.size() && tokens[first].line < line) ++first;
  const std::set<std::string> in_macros = NamesInMacros(source);
  std::size_t next = first;
  for (; next < tokens.size() && tokens[next].line == line; ++next) {
    // A macro may stand for an access.
    const bool is_macro = IsAt(tokens, next + 1, "(") && in_macros.contains(tokens[next].text);
    if (is_macro || MayAccess(tokens, next, array)) return 0;
  }
  if (next == first) return 0;  // Nothing is there.
  const std::size_t end = EndOfFunction(tokens, first);
  for (std::size_t at = next; at < end; ++at) {
    if (IsArray(tokens, at, array) && IsAt(tokens, at + 1, "[")) return tokens[at].line;
  }
  return 0;
}

}  // namespace warplings
