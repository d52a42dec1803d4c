// SPDX-License-Identifier: Apache-2.0
#include "grader/build/reset_sums.h"

#include <algorithm>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;
using Flow = CodeStatement::Kind;

/// What a loop does with a variable.
struct Uses {
  int resets = 0, additions = 0, others = 0;
  int line = 0;  ///< Of the first reset.
};

Uses UsesIn(const Tokens& tokens, TokenRange range, const std::string& name,
            const std::string& loop_variable) {
  Uses uses;
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (tokens[at].text != name) continue;
    const std::size_t sign = BehindSubscripts(tokens, at + 1);
    const bool is_zero = IsAt(tokens, sign, "=") && IsAt(tokens, sign + 2, ";") &&
                         tokens[sign + 1].text.find_first_not_of("0.fF") == std::string::npos;
    // An element of its own in each round begins at 0 as it should.
    const bool is_of_round = HasAny(tokens, {at + 1, sign}, {loop_variable}) || sign > at + 4;
    if (is_of_round)
      ++uses.others;
    else if (is_zero && uses.resets++ == 0)
      uses.line = tokens[at].line;
    else if (!is_zero)
      ++(IsAt(tokens, sign, "+=") ? uses.additions : uses.others);
  }
  return uses;
}

/// `float sum[4];` and `float sum = 0;` within the range.
std::vector<std::string> DeclaredIn(const Tokens& tokens, TokenRange range) {
  std::vector<std::string> names;
  for (std::size_t at = range.begin + 1; at < range.end; ++at) {
    if (IsName(tokens[at].text) && IsOneOf(tokens[at - 1].text, {"float", "double", "int", "unsigned"}) &&
        at + 1 < range.end && IsOneOf(tokens[at + 1].text, {"[", "=", ";", "{"}))
      names.push_back(tokens[at].text);
  }
  return names;
}

}  // namespace

std::optional<ResetSum> FindResetSum(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& loop = statements[i];
    const std::string variable =
        loop.kind == Flow::kLoop ? VariableOfLoop(tokens, loop.begin, loop.end) : std::string();
    if (variable.empty()) continue;
    const auto around = Around(statements, i);
    // In a loop around this one the sum may be read in each round.
    const bool is_inner =
        std::ranges::any_of(around, [&](std::size_t each) { return statements[each].kind == Flow::kLoop; });
    const CodeStatement& function = statements[around.back()];
    if (is_inner) continue;
    for (const std::string& name : DeclaredIn(tokens, {function.begin, loop.begin})) {
      const Uses uses = UsesIn(tokens, {loop.begin, loop.end}, name, variable);
      const bool is_read = HasAny(tokens, {loop.end, function.end}, {name});
      const bool is_it = uses.resets == 1 && uses.additions > 0 && uses.others == 0 && is_read;
      if (is_it) return ResetSum{name, variable, uses.line, tokens[loop.begin].line};
    }
  }
  return std::nullopt;
}

}  // namespace warplings
