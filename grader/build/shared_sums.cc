// SPDX-License-Identifier: Apache-2.0
#include "grader/build/shared_sums.h"

#include <algorithm>
#include <set>

#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;
using Flow = CodeStatement::Kind;

/// The declaration `__shared__ float name;`; the end if there is none, or another one of that name.
std::size_t DeclarationOf(const Tokens& tokens, const std::string& name) {
  std::size_t found = tokens.size();
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || !(IsNumberType(tokens[at - 1].text) || tokens[at - 1].text == "volatile"))
      continue;
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}", "(", ","})) --begin;
    const bool is_shared = HasAny(tokens, {begin, at}, {"__shared__"}) && tokens[at + 1].text == ";";
    if (!is_shared || found != tokens.size()) return tokens.size();
    found = at;
  }
  return found;
}

class Reader {
 public:
  Reader(const Tokens& tokens, const std::string& name)
      : tokens_(tokens), name_(name), statements_(StatementsOf(tokens)) {}

  std::optional<SharedSum> Find() const {
    const std::size_t declaration = DeclarationOf(tokens_, name_);
    if (declaration == tokens_.size()) return std::nullopt;
    SharedSum sum{name_, tokens_[declaration].line, {}, false};
    bool are_own = true, is_stored = false;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const CodeStatement& each = statements_[i];
      if (each.kind != Flow::kSimple || each.is_condition) continue;
      if (tokens_[each.begin].text == name_ && IsAt(tokens_, each.begin + 1, "+=")) {
        sum.add_lines.push_back(tokens_[each.begin].line);
        are_own &= IsInCommonLoop(i) && !IsOfOneThread(i);
      }
      is_stored |= StoresAtOwnIndex(each) && !IsOfOneThread(i);
    }
    if (sum.add_lines.empty()) return std::nullopt;
    sum.is_own = are_own && is_stored;
    return sum;
  }

 private:
  bool IsOfThread(std::size_t statement, TokenRange range) const {
    const CodeStatement& function = statements_[Around(statements_, statement).back()];
    const CodeDefinitions definitions = DefinitionsIn(tokens_, {function.begin, function.end});
    return std::ranges::any_of(NamesBehind(tokens_, range, definitions),
                               [](const std::string& each) { return each.starts_with("threadIdx"); });
  }

  /// Within a loop, and no loop around has anything of the thread in its header.
  bool IsInCommonLoop(std::size_t statement) const {
    int loops = 0;
    for (const std::size_t around : Around(statements_, statement)) {
      const CodeStatement& each = statements_[around];
      if (each.kind != Flow::kLoop) continue;
      if (VariableOfLoop(tokens_, each.begin, each.end).empty()) return false;
      if (IsOfThread(statement, {each.begin, BehindBracket(tokens_, each.begin + 1)})) return false;
      ++loops;
    }
    return loops > 0;
  }

  /// Under a condition such as `t == 0` or `!t`.
  bool IsOfOneThread(std::size_t statement) const {
    return std::ranges::any_of(Around(statements_, statement), [&](std::size_t around) {
      const CodeStatement& each = statements_[around];
      return each.kind == Flow::kBranch && IsAt(tokens_, each.begin + 1, "(") &&
             HasAny(tokens_, {each.begin, BehindBracket(tokens_, each.begin + 1)}, {"==", "!", "!=", "%"});
    });
  }

  /// `P[row * width + col] = sum;`
  bool StoresAtOwnIndex(const CodeStatement& each) const {
    const std::size_t index = each.begin + 1;
    const std::size_t behind = BehindSubscripts(tokens_, index);
    const bool stores = behind > index && IsAt(tokens_, behind, "=") && IsAt(tokens_, behind + 1, name_) &&
                        IsAt(tokens_, behind + 2, ";");
    return stores && IsOfThread(static_cast<std::size_t>(&each - statements_.data()), {index, behind});
  }

  const Tokens& tokens_;
  const std::string& name_;
  const std::vector<CodeStatement> statements_;
};

}  // namespace

std::optional<SharedSum> FindSharedSum(std::string_view source, const std::string& name) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  return Reader(tokens, name).Find();
}

}  // namespace warplings
