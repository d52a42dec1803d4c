// SPDX-License-Identifier: Apache-2.0
#include "grader/build/guarded_indices.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// `a[first * length + second]`, of names alone.
struct RowIndex {
  std::size_t begin = 0;  ///< Of the tokens between the brackets.
  std::string first, length, second;
};

bool IsNameAt(const Tokens& tokens, std::size_t at) {
  return at < tokens.size() && IsName(tokens[at].text);
}

std::optional<RowIndex> RowIndexAt(const Tokens& tokens, std::size_t at) {
  if (at == 0 || tokens[at].text != "[" || !IsNameAt(tokens, at - 1)) return std::nullopt;
  const bool is_row = IsNameAt(tokens, at + 1) && IsAt(tokens, at + 2, "*") && IsNameAt(tokens, at + 3) &&
                      IsAt(tokens, at + 4, "+") && IsNameAt(tokens, at + 5) && IsAt(tokens, at + 6, "]");
  if (!is_row) return std::nullopt;
  return RowIndex{at + 1, tokens[at + 1].text, tokens[at + 3].text, tokens[at + 5].text};
}

/// The limits of `row < n && col >= 0 && col < n`, which ends before `end`: of each name the one that it has
/// to be less than. Nothing if the condition has anything else.
std::optional<std::map<std::string, std::string>> LimitsBefore(const Tokens& tokens, std::size_t begin,
                                                               std::size_t end) {
  std::map<std::string, std::string> limits;
  for (std::size_t at = begin; at < end; at += 4) {
    if (at + 3 > end || !IsNameAt(tokens, at)) return std::nullopt;
    const bool is_limit = tokens[at + 1].text == "<" && IsNameAt(tokens, at + 2);
    const bool is_sign = tokens[at + 1].text == ">=" && tokens[at + 2].text == "0";
    const bool goes_on = at + 3 == end || tokens[at + 3].text == "&&";
    if (!goes_on || !(is_limit || is_sign)) return std::nullopt;
    if (is_limit && !limits.emplace(tokens[at].text, tokens[at + 2].text).second) return std::nullopt;
  }
  constexpr std::size_t kSides = 2;
  if (limits.size() != kSides) return std::nullopt;
  return limits;
}

/// Those of the condition in front of an element, `if (…) x = a[` or `(…) ? a[`, in its line.
std::optional<std::map<std::string, std::string>> LimitsOf(const Tokens& tokens, std::size_t element) {
  const int line = tokens[element].line;
  // `a` itself may be the first token behind the question mark.
  std::size_t at = element;
  while (at > 0 && tokens[at].line == line && !IsOneOf(tokens[at].text, {"?", ";", "{", "}"})) --at;
  if (tokens[at].line != line) return std::nullopt;
  if (tokens[at].text == "?" && at + 1 == element) {
    if (at > 0 && tokens[at - 1].text == ")") {
      const std::size_t open = OpeningOf(tokens, at - 1);
      return LimitsBefore(tokens, open + 1, at - 1);
    }
    std::size_t begin = at;
    while (begin > 0 && tokens[begin - 1].line == line &&
           !IsOneOf(tokens[begin - 1].text, {"=", ";", "(", "{"}))
      --begin;
    return LimitsBefore(tokens, begin, at);
  }
  return std::nullopt;
}

/// Whether the names are computed from one another.
bool AreRelated(const Tokens& tokens, const std::string& first, const std::string& second) {
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool is_set = tokens[at + 1].text == "=" || IsCompoundAssignment(tokens[at + 1].text);
    if (!is_set || !IsOneOf(tokens[at].text, {first, second})) continue;
    const std::string& other = tokens[at].text == first ? second : first;
    if (HasAny(tokens, {at + 2, EndOfValue(tokens, at + 2, tokens.size())}, {other})) return true;
  }
  return false;
}

/// Whether another element's index, of other names, has rows of the same length.
bool IsLengthElsewhere(const Tokens& tokens, const RowIndex& index) {
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    const auto other = RowIndexAt(tokens, at);
    const bool is_same = other && other->length == index.length && other->first != index.first &&
                         other->second != index.second;
    if (is_same) return true;
  }
  return false;
}

/// Whether the name does not say that it is a column: of `n_row * k + col`, k is what is wrong.
bool MayBeRow(const std::string& name) {
  const std::string last = name.substr(name.rfind('_') + 1);
  return name.find("col") == name.npos && !IsOneOf(last, {"c", "x", "tx"});
}

}  // namespace

std::optional<ExchangedIndex> FindExchangedIndex(std::string_view source, int line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    const auto index = tokens[at].line == line ? RowIndexAt(tokens, at) : std::nullopt;
    const auto limits = index ? LimitsOf(tokens, at - 1) : std::nullopt;
    if (!limits || index->first == index->second) continue;
    const auto first = limits->find(index->first), second = limits->find(index->second);
    if (first == limits->end() || second == limits->end()) continue;
    if (first->second != index->length || second->second == index->length) continue;
    // Of an array that is stored the other way, the length may be what is wrong, or of another array's rows.
    if (!IsLengthElsewhere(tokens, *index) || MayBeRow(index->first)) continue;
    return ExchangedIndex{index->first + " * " + index->length + " + " + index->second,
                          index->second + " * " + index->length + " + " + index->first, index->first,
                          index->length};
  }
  return std::nullopt;
}

std::optional<GuardOfOthers> FindGuardOfOthers(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    const auto index = RowIndexAt(tokens, at);
    const auto limits = index ? LimitsOf(tokens, at - 1) : std::nullopt;
    if (!limits || index->first == index->second) continue;
    const bool uses_one = std::ranges::any_of(*limits, [&](const auto& limit) {
      return AreRelated(tokens, limit.first, index->first) ||
             AreRelated(tokens, limit.first, index->second) ||
             IsOneOf(limit.first, {index->first, index->second});
    });
    if (uses_one) continue;
    // In the order in which they are written.
    std::size_t first = at;
    while (first > 0 && !limits->contains(tokens[first].text)) --first;
    std::string last = tokens[first].text;
    const std::string other =
        limits->begin()->first == last ? limits->rbegin()->first : limits->begin()->first;
    return GuardOfOthers{tokens[at].line,
                         index->first + " * " + index->length + " + " + index->second,
                         {other, last},
                         {index->first, index->second}};
  }
  return std::nullopt;
}

}  // namespace warplings
