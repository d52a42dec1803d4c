// SPDX-License-Identifier: Apache-2.0
#include "grader/build/replaced_pointers.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool Allocates(const std::string& name) {
  return IsOneOf(name, {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync", "cudaMallocPitch"});
}

/// "P" of `cudaMalloc(&P,` and of `cudaMalloc((void**)&P,`; empty for anything else.
std::string AllocatedName(const Tokens& tokens, std::size_t call) {
  if (call + 1 >= tokens.size() || tokens[call + 1].text != "(") return "";
  std::size_t at = call + 2;
  const auto is_of_cast = [](const std::string& text) {
    return IsOneOf(text, {"(", ")", "void", "float", "int", "*", "**", "<", ">", "reinterpret_cast"});
  };
  while (at < tokens.size() && is_of_cast(tokens[at].text)) ++at;
  if (at + 2 >= tokens.size() || tokens[at].text != "&" || !IsName(tokens[at + 1].text)) return "";
  return IsOneOf(tokens[at + 2].text, {",", ")"}) ? tokens[at + 1].text : "";
}

/// The brace that begins the body of the function around `at`; 0 if there is none.
std::size_t BodyAround(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i-- > 1;) {
    depth += tokens[i].text == "}" ? 1 : tokens[i].text == "{" ? -1 : 0;
    if (depth >= 0) continue;
    depth = 0;
    if (tokens[i - 1].text != ")") continue;
    const std::size_t open = OpeningOf(tokens, i - 1);
    if (open > 0 && !IsOneOf(tokens[open - 1].text, {"if", "for", "while", "switch", "constexpr"})) return i;
  }
  return 0;
}

/// Whether the parameters before the body have `float* name`, which the function may change for itself only.
bool IsPointerParameter(const Tokens& tokens, std::size_t body, const std::string& name) {
  for (std::size_t at = OpeningOf(tokens, body - 1) + 1; at + 1 < body; ++at) {
    if (tokens[at].text != name || !IsOneOf(tokens[at + 1].text, {",", ")"})) continue;
    std::size_t before = at - 1;
    while (IsOneOf(tokens[before].text, {"__restrict__", "const"})) --before;
    return tokens[before].text == "*" && tokens[before - 1].text != "*";
  }
  return false;
}

}  // namespace

std::optional<Slip> FindReplacedPointer(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t call = 0; call < tokens.size(); ++call) {
    if (!Allocates(tokens[call].text)) continue;
    const std::string name = AllocatedName(tokens, call);
    const std::size_t body = name.empty() ? 0 : BodyAround(tokens, call);
    if (body == 0 || !IsPointerParameter(tokens, body, name)) continue;
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(body);
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(call);
    if (std::any_of(begin, end, [&](const CodeToken& each) { return each.text == name; })) continue;
    const int line = tokens[call].line;
    return Slip{line, say::pointer_replaced(tokens[call].text, say::Line(line), name)};
  }
  return std::nullopt;
}

}  // namespace warplings
