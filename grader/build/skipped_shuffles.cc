// SPDX-License-Identifier: Apache-2.0
#include "grader/build/skipped_shuffles.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;
using Flow = CodeStatement::Kind;

class SkipFinder {
 public:
  explicit SkipFinder(std::string_view source)
      : tokens_(TokensOf(WithoutComments(source))), statements_(StatementsOf(tokens_)) {}

  std::optional<SkippedShuffle> Find(int line) const {
    std::optional<std::size_t> at = ShuffleIn(line);
    std::vector<int> conditions;
    bool goes_on = false;
    constexpr int kDeepest = 4;
    for (int depth = 0; at && depth < kDeepest; ++depth) {
      const std::optional<Level> level = LevelOf(*at);
      if (!level) return std::nullopt;
      conditions.insert(conditions.end(), level->conditions.begin(), level->conditions.end());
      // Who skips the outermost condition never sees what is behind it in an inner function.
      goes_on = level->goes_on || (level->conditions.empty() && goes_on);
      if (IsDeclaredWith(tokens_, level->body, {"__global__"})) {
        if (conditions.empty() || !goes_on) return std::nullopt;
        return SkippedShuffle{conditions.size() == 1 ? conditions.front() : 0};
      }
      at = OnlyCallOf(level->body);
    }
    return std::nullopt;
  }

 private:
  /// A function around the shuffle.
  struct Level {
    std::size_t body = 0;  ///< Token.
    std::vector<int> conditions;
    bool goes_on = false;  ///< Threads that skip the shuffle do something else there.
  };

  const std::string& At(std::size_t at) const { return tokens_[at].text; }

  /// Several in one statement are as good as one.
  std::optional<std::size_t> ShuffleIn(int line) const {
    std::optional<std::size_t> first;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const std::string& text = At(at);
      if (tokens_[at].line != line || !text.starts_with("__shfl_") || !text.ends_with("_sync")) continue;
      if (!first) first = at;
      if (StatementWith(statements_, *first) != StatementWith(statements_, at)) return std::nullopt;
    }
    return first;
  }

  bool HasExit(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (IsOneOf(At(at), {"return", "break", "continue", "goto", "asm"})) return true;
    }
    return false;
  }

  /// Whether all threads go round it equally often: `for (int k = 16; k > 0; k /= 2)`.
  bool IsUniform(const CodeStatement& loop) const {
    if (At(loop.begin) != "for" || HasExit(loop.begin, loop.end)) return false;
    const std::string variable = VariableOfLoop(tokens_, loop.begin, loop.end);
    const std::size_t end = BehindBracket(tokens_, loop.begin + 1);
    for (std::size_t at = loop.begin + 2; at + 1 < end; ++at) {
      const std::string& word = At(at);
      const bool is_known =
          !IsName(word) || word == variable || IsNumberType(word) || BeginsAsConstant(word) ||
          IsOneOf(word, {"const", "auto", "warpSize", "blockDim", "gridDim"}) || At(at - 1) == ".";
      if (!is_known) return false;
    }
    return true;
  }

  bool HasElse(std::size_t branch) const {
    return std::ranges::count_if(statements_, [&](const CodeStatement& each) {
             return each.parent == branch && &each != &statements_[branch] && !each.is_condition;
           }) > 1;
  }

  std::optional<Level> LevelOf(std::size_t at) const {
    const std::optional<std::size_t> innermost = StatementWith(statements_, at);
    if (!innermost || statements_[*innermost].is_condition) return std::nullopt;
    for (std::size_t i = statements_[*innermost].begin; i < at; ++i) {
      // The operands of these may be skipped, too; a macro or a lambda hides more.
      if (IsOneOf(At(i), {"?", "&&", "||", "{"}) && statements_[*innermost].kind == Flow::kSimple)
        return std::nullopt;
    }
    Level level;
    std::size_t outermost = *innermost, top = *innermost;
    bool has_condition = false;
    for (std::size_t each = *innermost; statements_[each].parent != each; each = statements_[each].parent) {
      const CodeStatement& statement = statements_[each];
      top = each;
      if (statement.kind == Flow::kLoop && !IsUniform(statement)) return std::nullopt;
      if (statement.kind != Flow::kBranch) continue;
      if (At(statement.begin) != "if") return std::nullopt;
      level.conditions.push_back(tokens_[statement.begin].line);
      outermost = each;
      has_condition = true;
    }
    const CodeStatement& body = statements_[statements_[top].parent];
    if (HasExit(body.begin, at)) {
      // `return sum(v);` itself leaves nothing out.
      const std::size_t begin = statements_[*innermost].begin;
      if (At(begin) != "return" || HasExit(body.begin, begin)) return std::nullopt;
    }
    level.body = body.begin;
    const std::size_t behind = statements_[has_condition ? outermost : top].end;
    for (std::size_t i = behind; i + 1 < body.end; ++i)
      level.goes_on |= !IsOneOf(At(i), {"}", ";", "return"});
    level.goes_on |= has_condition && HasElse(outermost);
    return level;
  }

  /// Of the function with this body.
  std::optional<std::size_t> OnlyCallOf(std::size_t body) const {
    std::size_t close = body;
    while (close > 0 && At(close) != ")") --close;
    const std::size_t open = OpeningOf(tokens_, close);
    if (open == 0) return std::nullopt;
    const std::string& name = At(open - 1);
    std::optional<std::size_t> call;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (at == open - 1 || At(at) != name) continue;
      if (call || !StatementWith(statements_, at)) return std::nullopt;
      call = at;
    }
    return call;
  }

  const Tokens tokens_;
  const std::vector<CodeStatement> statements_;
};

}  // namespace

std::optional<SkippedShuffle> FindSkippedShuffle(std::string_view source, int line) {
  if (source.size() > kLongestSource) return std::nullopt;
  return SkipFinder(source).Find(line);
}

void ExplainSkippedShuffle(Finding& finding, std::string_view source) {
  if (!say::shuffle_lacks_lanes.Made(finding.message)) return;
  const auto skipped = FindSkippedShuffle(source, finding.where.line);
  if (!skipped) return;
  finding.severity = Severity::kError;
  if (skipped->line == 0) return;
  const std::vector<Argument> said = finding.message.arguments();
  finding.message = say::shuffle_skipped(said.at(0).inner.at(0), said.at(1).number, said.at(2).number,
                                         said.at(3).number, say::Line(skipped->line));
}

}  // namespace warplings
