// SPDX-License-Identifier: Apache-2.0
#include "grader/build/code_loops.h"

#include "grader/build/definitions.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// From a brace to behind the one that closes it; from another token to behind the statement's semicolon.
std::size_t BehindSimple(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  const bool is_block = IsAt(tokens, at, "{");
  for (; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"(", "[", "{"})) ++depth;
    if (IsOneOf(text, {")", "]", "}"}) && --depth < 0) return at;
    if (depth == 0 && (is_block || text == ";")) return at + 1;
  }
  return at;
}

/// Deeply nested code is no student's, and the stack is not for it.
constexpr int kDeepestStatement = 200;

std::size_t BehindStatement(const Tokens& tokens, std::size_t at, int depth) {
  const bool is_branch = IsAt(tokens, at, "if");
  if (depth == kDeepestStatement || !(is_branch || IsAt(tokens, at, "for") || IsAt(tokens, at, "while")))
    return BehindSimple(tokens, at);
  std::size_t body = at + 1;
  if (IsAt(tokens, body, "constexpr")) ++body;
  std::size_t end = BehindStatement(tokens, BehindParentheses(tokens, body), depth + 1);
  while (is_branch && IsAt(tokens, end, "else")) end = BehindStatement(tokens, end + 1, depth + 1);
  return end;
}

}  // namespace

std::vector<CodeLoop> LoopsOf(const std::vector<CodeToken>& tokens) {
  std::vector<CodeLoop> loops;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool is_do = tokens[at].text == "do";
    if (!is_do && !IsOneOf(tokens[at].text, {"for", "while"})) continue;
    const std::size_t body = is_do ? at + 1 : BehindParentheses(tokens, at + 1);
    // What ends a do loop, `while (…);`, is a loop without a body by its looks, which has no lines of code.
    loops.push_back({at, body, BehindStatement(tokens, body, 0), VariableOfLoop(tokens, at, tokens.size())});
  }
  return loops;
}

}  // namespace warplings
