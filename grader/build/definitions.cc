// SPDX-License-Identifier: Apache-2.0
#include "grader/build/definitions.h"

namespace warplings {

std::size_t BehindParentheses(const std::vector<CodeToken>& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    depth += tokens[at].text == "(" ? 1 : tokens[at].text == ")" ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

std::optional<Definition> DefinitionOf(const std::vector<CodeToken>& tokens, std::string_view name) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i + 1].text != "(") continue;
    const std::size_t body = BehindParentheses(tokens, i + 1);
    if (body >= tokens.size() || tokens[body].text != "{") continue;
    Definition found{.line = tokens[i].line, .returns_void = tokens[i - 1].text == "void"};
    for (std::size_t before = i; before > 0 && !IsOneOf(tokens[before - 1].text, {";", "}", "{"}); --before) {
      found.is_kernel = found.is_kernel || tokens[before - 1].text == "__global__";
    }
    return found;
  }
  return std::nullopt;
}

std::string PlainName(std::string_view function) {
  function = function.substr(0, function.find_first_of("(<"));
  const std::size_t before = function.find_last_of(": ");
  return std::string(before == std::string_view::npos ? function : function.substr(before + 1));
}

}  // namespace warplings
