// SPDX-License-Identifier: Apache-2.0
#include "grader/build/condition_slips.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>

#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/statements.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// In tokens; code is read to its end only once.
constexpr std::size_t kLongestCondition = 100;

bool IsNumber(const std::string& text) {
  return std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

bool EndsComparison(const std::string& text) {
  return IsOneOf(text, {"&&", "||", ";", "?", ":", "{", "}", "=", "==", "!=", "&", "|", "^", "and", "or",
                        "xor", "bitand", "bitor"}) ||
         IsCompoundAssignment(text);
}

/// In the parentheses of an if or a while there are no arguments of a template.
bool IsInCondition(const Code& tokens, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i > 0 && at - i < kLongestCondition; --i) {
    const std::string& text = tokens[i - 1].text;
    if (IsOneOf(text, {";", "{", "}"})) return false;
    depth += IsOneOf(text, {")", "]"}) ? 1 : IsOneOf(text, {"(", "["}) ? -1 : 0;
    if (depth < 0) return i >= 2 && text == "(" && IsOneOf(tokens[i - 2].text, {"if", "while"});
  }
  return false;
}

/// `a < b < c` and `a >= b > c`, from the first comparison on. In `f<a < b>`, `A<B<int>>` and
/// `static_cast<int>(a) > b` the same signs are brackets: the first one is <= or >=, or a number is in front
/// of it, or the place is a condition.
std::optional<Slip> ChainedComparisonAt(const Code& tokens, std::size_t at) {
  const std::string& first = tokens[at].text;
  if (at == 0 || !IsOneOf(first, {"<", "<=", ">="})) return std::nullopt;
  const std::string strict = first.substr(0, 1), other = strict == "<" ? ">" : "<";
  int depth = 0;
  bool is_chain = false;
  const std::size_t end = std::min(tokens.size(), at + kLongestCondition);
  for (std::size_t i = at + 1; i < end; ++i) {
    const std::string& text = tokens[i].text;
    depth += IsOneOf(text, {"(", "["}) ? 1 : IsOneOf(text, {")", "]"}) ? -1 : 0;
    if (depth > 0) continue;
    // `n < max<int>(a, b)`, `n <= Semaphore<a, b>::max()`
    if (IsOneOf(text, {"<<", ">>", ",", other})) return std::nullopt;
    if (depth < 0 || EndsComparison(text)) break;
    if (!text.starts_with(strict)) continue;
    const bool is_sure = first.ends_with("=") || IsNumber(tokens[at - 1].text) || IsInCondition(tokens, at);
    if (i == at + 1 || !is_sure) return std::nullopt;
    is_chain = true;
  }
  if (!is_chain) return std::nullopt;
  return Slip{tokens[at].line, say::comparisons_in_a_chain(say::Line(tokens[at].line))};
}

/// The one `=` of `if (x = y)`.
std::optional<Slip> AssignmentAt(const Code& tokens, std::size_t at) {
  if (at + 4 >= tokens.size() || tokens[at].text != "if" || tokens[at + 1].text != "(") return std::nullopt;
  const std::string& variable = tokens[at + 2].text;
  if (!IsName(variable) || tokens[at + 3].text != "=") return std::nullopt;
  int depth = 0;
  bool compares = false, joins = false;
  for (std::size_t i = at + 4; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    compares = compares || IsOneOf(text, {"==", "!=", "<", ">", "<=", ">=", "!"});
    joins = joins || IsOneOf(text, {"&&", "||"});
    if (text == variable || IsOneOf(text, {"{", ";", "="})) return std::nullopt;
    if (text == "(" && IsName(tokens[i - 1].text)) return std::nullopt;
    depth += text == "(" ? 1 : text == ")" ? -1 : 0;
    if (depth >= 0) continue;
    if (compares && !joins) return std::nullopt;
    const int line = tokens[at].line;
    return Slip{line, say::if_assigns(say::Line(line), variable)};
  }
  return std::nullopt;
}

using Flow = CodeStatement::Kind;

/// Comparisons that conditions around them, or a return before them, have already decided.
class DecidedComparisons {
 public:
  explicit DecidedComparisons(const Code& tokens) : tokens_(tokens), statements_(StatementsOf(tokens)) {}

  /// `x == width` where only threads with x < width come.
  std::optional<Slip> At(std::size_t equals) const {
    if (equals < 2 || tokens_[equals].text != "==" || equals + 2 >= tokens_.size()) return std::nullopt;
    const std::string &index = tokens_[equals - 1].text, &limit = tokens_[equals + 1].text;
    const auto ends = [&](std::size_t at) {
      return IsOneOf(tokens_[at].text, {"(", ")", "&&", "||", "=", ";"});
    };
    if (!IsName(index) || !IsName(limit) || !ends(equals - 2) || !ends(equals + 2)) return std::nullopt;
    const auto own = StatementWith(statements_, equals);
    if (!own) return std::nullopt;
    const auto around = Around(statements_, *own);
    if (around.empty()) return std::nullopt;
    const CodeStatement& function = statements_[around.back()];
    // Both keep their values: a variable that is set once, and a parameter or another one of that kind.
    const auto definitions = DefinitionsIn(tokens_, {function.begin, function.end});
    const TokenRange body{function.begin, function.end};
    if (!definitions.contains(index) || (Changes(tokens_, body, limit) && !definitions.contains(limit)))
      return std::nullopt;
    for (std::size_t i = 0; i < statements_.size() && statements_[i].begin < equals; ++i) {
      const CodeStatement& each = statements_[i];
      if (each.kind != Flow::kBranch || tokens_[each.begin].text != "if") continue;
      const TokenRange condition{each.begin + 1, BehindBracket(tokens_, each.begin + 1)};
      if (equals < condition.end) continue;
      const bool is_around = std::ranges::count(around, i) > 0;
      const bool lets_smaller = is_around && !HasAny(tokens_, {condition.end, equals}, {"else"}) &&
                                Requires(condition, index, limit, definitions);
      const bool left_before = !is_around && std::ranges::count(around, each.parent) > 0 &&
                               LeavesFrom(condition, index, limit, each.end);
      if (!lets_smaller && !left_before) continue;
      const say::Line line(tokens_[equals].line);
      return Slip{tokens_[equals].line,
                  say::comparison_is_never_true(index, limit, line, say::Line(tokens_[each.begin].line))};
    }
    return std::nullopt;
  }

 private:
  /// Whether `index SIGN limit` is a part of its own there.
  bool Has(TokenRange range, const std::string& index, std::string_view sign,
           const std::string& limit) const {
    for (std::size_t at = range.begin + 1; at + 3 < range.end + 1; ++at) {
      const bool is_it =
          tokens_[at].text == index && IsAt(tokens_, at + 1, sign) && IsAt(tokens_, at + 2, limit);
      if (is_it && IsOneOf(tokens_[at - 1].text, {"(", "&&", "||", "="}) && at + 3 < tokens_.size() &&
          IsOneOf(tokens_[at + 3].text, {")", "&&", "||", ";"}))
        return true;
    }
    return false;
  }

  /// `if (x < width && ...)`, or `if (exists)` with that value.
  bool Requires(TokenRange condition, const std::string& index, const std::string& limit,
                const CodeDefinitions& definitions) const {
    const auto has_other = [&](TokenRange range) {
      return HasAny(tokens_, range, {"||", "!", "?", "^", "|", "=="});
    };
    if (has_other(condition)) return false;
    if (Has(condition, index, "<", limit)) return true;
    for (std::size_t at = condition.begin; at < condition.end; ++at) {
      const auto named = definitions.find(tokens_[at].text);
      if (named == definitions.end()) continue;
      const TokenRange value = named->second.value;
      const bool stands_alone =
          IsOneOf(tokens_[at - 1].text, {"(", "&&"}) && IsOneOf(tokens_[at + 1].text, {")", "&&"});
      if (stands_alone && !has_other(value) && Has({value.begin - 1, value.end + 1}, index, "<", limit))
        return true;
    }
    return false;
  }

  /// `if (x >= width || ...) return;`
  bool LeavesFrom(TokenRange condition, const std::string& index, const std::string& limit,
                  std::size_t end) const {
    if (HasAny(tokens_, condition, {"&&", "!", "?", "^", "&", "=="})) return false;
    const std::size_t body = condition.end + (IsAt(tokens_, condition.end, "{") ? 1 : 0);
    if (!IsAt(tokens_, body, "return") || !IsAt(tokens_, body + 1, ";") || end > body + 3) return false;
    return Has(condition, index, ">=", limit);
  }

  const Code& tokens_;
  const std::vector<CodeStatement> statements_;
};

}  // namespace

std::vector<Slip> FindConditionSlips(const Code& tokens) {
  std::vector<Slip> found;
  const DecidedComparisons decided(tokens);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (auto slip = decided.At(at)) found.push_back(std::move(*slip));
    if (auto slip = ChainedComparisonAt(tokens, at)) found.push_back(std::move(*slip));
    if (auto slip = AssignmentAt(tokens, at)) found.push_back(std::move(*slip));
  }
  return found;
}

}  // namespace warplings
