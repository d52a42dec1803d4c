// SPDX-License-Identifier: Apache-2.0
#include "grader/build/unread_variables.h"

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

/// The line of the last value that the variable gets in these tokens; 0 if it is read there, or gets none
/// behind its declaration.
int LineOfVainValue(const std::vector<CodeToken>& tokens, TokenRange function, std::size_t declaration) {
  int line = 0;
  for (std::size_t at = function.begin; at < function.end; ++at) {
    if (tokens[at].text != tokens[declaration].text || at == declaration) continue;
    const bool is_statement = IsOneOf(tokens[at - 1].text, {";", "{", "}", ")", "else"});
    if (!is_statement || !IsAt(tokens, at + 1, "=")) return 0;
    line = tokens[at].line;
  }
  return line;
}

/// The body of the function's definition, its braces included.
TokenRange BodyOf(const std::vector<CodeToken>& tokens, std::string_view name) {
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || tokens[at + 1].text != "(") continue;
    const std::size_t body = BehindParentheses(tokens, at + 1);
    if (IsAt(tokens, body, "{")) return {body, BehindBracket(tokens, body)};
  }
  return {};
}

}  // namespace

std::optional<UnreadVariable> FindUnreadVariable(std::string_view source, std::string_view entry) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const TokenRange body = BodyOf(tokens, entry);
  // `return name; }`
  if (body.end < body.begin + 5 || tokens[body.end - 4].text != "return" ||
      !IsName(tokens[body.end - 3].text) || tokens[body.end - 2].text != ";")
    return std::nullopt;
  const CodeToken& returned = tokens[body.end - 3];
  std::optional<UnreadVariable> found;
  for (std::size_t at = body.begin + 1; at + 1 < body.end; ++at) {
    const bool is_declared = IsName(tokens[at].text) && !IsNumberType(tokens[at].text) &&
                             IsNumberType(tokens[at - 1].text) && tokens[at + 1].text == "=";
    if (!is_declared || tokens[at].text == returned.text) continue;
    const int line = LineOfVainValue(tokens, body, at);
    if (line == 0) continue;
    if (found) return std::nullopt;
    found = UnreadVariable{tokens[at].text, returned.text, line, returned.line};
  }
  return found;
}

}  // namespace warplings
