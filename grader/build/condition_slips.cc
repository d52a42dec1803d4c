// SPDX-License-Identifier: Apache-2.0
#include "grader/build/condition_slips.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>

#include "grader/build/code_words.h"
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

}  // namespace

std::vector<Slip> FindConditionSlips(const Code& tokens) {
  std::vector<Slip> found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (auto slip = ChainedComparisonAt(tokens, at)) found.push_back(std::move(*slip));
    if (auto slip = AssignmentAt(tokens, at)) found.push_back(std::move(*slip));
  }
  return found;
}

}  // namespace warplings
