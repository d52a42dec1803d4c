// SPDX-License-Identifier: Apache-2.0
#include "grader/build/row_lengths.h"

#include <array>
#include <cstddef>
#include <set>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

const std::string& WordAt(const Tokens& tokens, std::size_t at) {
  static const std::string kNone;
  return at < tokens.size() ? tokens[at].text : kNone;
}

/// Whether the name after this token is only a part of what is compared.
bool ContinuesTerm(const std::string& text) {
  return IsOneOf(text, {"+", "-", "*", "/", "%", ".", "->", "<<", ">>"});
}

/// The same of the name before it.
bool HasMore(const std::string& text) {
  return ContinuesTerm(text) || IsOneOf(text, {"[", "("});
}

/// What the variable stays below: "rows" of `row < rows` and `rows > row`, and of what returns elsewhere,
/// `row >= rows`. An expression counts as a limit without a name.
std::set<std::string> LimitsOf(const Tokens& tokens, const std::string& variable) {
  std::set<std::string> limits;
  for (std::size_t at = 1; at + 2 < tokens.size(); ++at) {
    const std::string& sign = tokens[at + 1].text;
    const std::string &left = tokens[at].text, &right = tokens[at + 2].text;
    if (IsOneOf(sign, {"<", ">="}) && left == variable && !ContinuesTerm(tokens[at - 1].text)) {
      limits.insert(HasMore(WordAt(tokens, at + 3)) ? "" : right);
    } else if (IsOneOf(sign, {">", "<="}) && right == variable && !HasMore(WordAt(tokens, at + 3))) {
      limits.insert(ContinuesTerm(tokens[at - 1].text) ? "" : left);
    }
  }
  return limits;
}

/// The limit of a variable that has one alone, a name; else empty.
std::string OnlyLimitOf(const Tokens& tokens, const std::string& variable) {
  const std::set<std::string> limits = LimitsOf(tokens, variable);
  return limits.size() == 1 && IsName(*limits.begin()) ? *limits.begin() : "";
}

/// `a * b + c`, of names: the factors and what is added.
struct Index {
  std::array<std::string, 2> factors;
  std::string added;
};

/// Between the brackets that open at `open`; in either order, and nothing else.
std::optional<Index> ReadIndex(const Tokens& tokens, std::size_t open) {
  const auto text = [&](std::size_t i) -> const std::string& { return WordAt(tokens, open + i); };
  if (text(0) != "[" || text(6) != "]" || !IsName(text(1)) || !IsName(text(3)) || !IsName(text(5)))
    return std::nullopt;
  if (text(2) == "*" && text(4) == "+") return Index{{text(1), text(3)}, text(5)};
  if (text(2) == "+" && text(4) == "*") return Index{{text(3), text(5)}, text(1)};
  return std::nullopt;
}

}  // namespace

std::optional<WrongRowLength> FindWrongRowLength(std::string_view source, int line, std::string_view array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].line != line || tokens[at].text != array) continue;
    const auto index = ReadIndex(tokens, at + 1);
    if (!index) continue;
    const std::string needed = OnlyLimitOf(tokens, index->added);
    for (const std::size_t row : {0, 1}) {
      const std::string &variable = index->factors[row], &used = index->factors[1 - row];
      if (OnlyLimitOf(tokens, variable) == used && !needed.empty() && needed != used)
        return WrongRowLength{variable, used, index->added, needed};
    }
  }
  return std::nullopt;
}

std::optional<int> FindRowDivision(std::string_view source, std::string_view length) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const auto has = [&](std::size_t at, const std::string& number, std::string_view sign) {
    return tokens[at].text == number && IsAt(tokens, at + 1, sign) && IsAt(tokens, at + 2, length);
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& number = tokens[at].text;
    if (!IsName(number) || !has(at, number, "/")) continue;
    for (std::size_t other = 0; other < tokens.size(); ++other) {
      if (has(other, number, "%")) return tokens[at].line;
    }
  }
  return std::nullopt;
}

}  // namespace warplings
