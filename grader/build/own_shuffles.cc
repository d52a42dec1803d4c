// SPDX-License-Identifier: Apache-2.0
#include "grader/build/own_shuffles.h"

#include <charconv>
#include <map>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;
using Flow = CodeStatement::Kind;

constexpr int kLanesOfWarp = 32;

/// Tokens of an argument.
struct ShuffleArgument {
  std::size_t begin = 0, end = 0;
};

std::vector<ShuffleArgument> ArgumentsAt(const Tokens& tokens, std::size_t parenthesis) {
  std::vector<ShuffleArgument> arguments;
  int depth = 0;
  std::size_t begin = parenthesis + 1;
  for (std::size_t at = parenthesis; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"(", "[", "{"})) ++depth;
    if (IsOneOf(text, {")", "]", "}"})) --depth;
    if (depth > 1 || (depth == 1 && text != ",")) continue;
    arguments.push_back({begin, at});
    if (depth == 0) break;
    begin = at + 1;
  }
  return arguments;
}

std::string TextOfArgument(const Tokens& tokens, ShuffleArgument part) {
  std::string text;
  for (std::size_t at = part.begin; at < part.end; ++at)
    text += (text.empty() || tokens[at].text == "." ? "" : " ") + tokens[at].text;
  return text;
}

/// One shuffle whose value is added to the variable that is shuffled: `v += __shfl_up_sync(m, v, d);`.
struct Added {
  std::string function;
  std::vector<ShuffleArgument> arguments;
};

std::optional<Added> AddedShuffle(const Tokens& tokens, const CodeStatement& statement) {
  std::size_t at = statement.begin;
  if (at + 4 >= statement.end || !IsName(tokens[at].text)) return std::nullopt;
  const std::string& variable = tokens[at].text;
  if (tokens[at + 1].text == "+=") {
    at += 2;
  } else if (tokens[at + 1].text == "=" && tokens[at + 2].text == variable && tokens[at + 3].text == "+") {
    at += 4;
  } else {
    return std::nullopt;
  }
  Added added{tokens[at].text, {}};
  if (!IsOneOf(added.function, {"__shfl_up_sync", "__shfl_down_sync"}) || !IsAt(tokens, at + 1, "("))
    return std::nullopt;
  added.arguments = ArgumentsAt(tokens, at + 1);
  const bool is_whole = added.arguments.size() >= 3 && IsAt(tokens, added.arguments.back().end + 1, ";");
  if (!is_whole || TextOfArgument(tokens, added.arguments[1]) != variable) return std::nullopt;
  return added;
}

bool IsInBranch(const std::vector<CodeStatement>& statements, std::size_t statement) {
  while (statements[statement].parent != statement) {
    statement = statements[statement].parent;
    if (statements[statement].kind == Flow::kBranch) return true;
  }
  return false;
}

std::optional<int> ValueOfArgument(const Tokens& tokens, ShuffleArgument part,
                                   const std::map<std::string, int>& numbers) {
  const bool is_quotient = part.end == part.begin + 3 && tokens[part.begin + 1].text == "/";
  if (part.end != part.begin + 1 && !is_quotient) return std::nullopt;
  const auto value_of = [&](const std::string& text) -> std::optional<int> {
    if (const auto named = numbers.find(text); named != numbers.end()) return named->second;
    int number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = fault == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(number) : std::nullopt;
  };
  const auto first = value_of(tokens[part.begin].text);
  if (!is_quotient || !first) return first;
  const auto divisor = value_of(tokens[part.begin + 2].text);
  return divisor.value_or(0) > 0 ? std::optional(*first / *divisor) : std::nullopt;
}

/// The largest distance: the number itself, or where the loop over it begins if it then gets smaller.
std::optional<int> FarthestOf(const Tokens& tokens, std::size_t at, ShuffleArgument distance,
                              const std::map<std::string, int>& numbers) {
  // Named numbers have the variables of loops, too.
  std::optional<int> farthest = ValueOfArgument(tokens, distance, numbers);
  for (const CodeLoop& loop : LoopsOf(tokens)) {
    const bool is_its = distance.end == distance.begin + 1 && loop.variable == tokens[distance.begin].text;
    if (!is_its || !loop.Has(at)) continue;
    std::size_t first = loop.begin;
    while (tokens[first].text != "=") ++first;
    std::size_t end = ++first;
    while (end < loop.body && tokens[end].text != ";") ++end;
    farthest = ValueOfArgument(tokens, {first, end}, numbers);
  }
  return farthest;
}

}  // namespace

std::optional<OwnShuffle> FindOwnShuffle(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].kind != Flow::kSimple || IsInBranch(statements, i)) continue;
    const auto added = AddedShuffle(tokens, statements[i]);
    if (!added) continue;
    const std::size_t at = statements[i].begin;
    const std::vector<ShuffleArgument>& arguments = added->arguments;
    OwnShuffle found{tokens[at].line, TextOfArgument(tokens, arguments[2])};
    if (added->function == "__shfl_up_sync") return found;
    const auto group = arguments.size() > 3 ? ValueOfArgument(tokens, arguments[3], numbers) : kLanesOfWarp;
    const auto farthest = FarthestOf(tokens, at, arguments[2], numbers);
    if (!group || !farthest || *group < 1 || *farthest < *group) continue;
    found.group = *group;
    found.farthest = *farthest;
    return found;
  }
  return std::nullopt;
}

std::optional<ShortShuffle> FindShortShuffle(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  for (const CodeLoop& loop : LoopsOf(tokens)) {
    std::size_t at = loop.begin;
    while (at < loop.body && tokens[at].text != ";") ++at;
    // `d > 1; d /= 2)` or `d >= 2; d >>= 1)`.
    const bool is_halved = at + 7 < loop.body && tokens[at + 4].text == ";" &&
                           tokens[at + 5].text == loop.variable &&
                           ((tokens[at + 6].text == ">>=" && tokens[at + 7].text == "1") ||
                            (tokens[at + 6].text == "/=" && tokens[at + 7].text == "2"));
    if (loop.variable.empty() || !is_halved || tokens[at + 1].text != loop.variable) continue;
    const auto limit = ValueOfArgument(tokens, {at + 3, at + 4}, numbers);
    const std::string& sign = tokens[at + 2].text;
    if (!limit || !((sign == ">" && *limit >= 1) || (sign == ">=" && *limit >= 2))) continue;
    for (std::size_t i = loop.body; i + 1 < loop.end; ++i) {
      if (!IsOneOf(tokens[i].text, {"__shfl_down_sync", "__shfl_xor_sync"}) || tokens[i + 1].text != "(")
        continue;
      const auto arguments = ArgumentsAt(tokens, i + 1);
      if (arguments.size() >= 3 && TextOfArgument(tokens, arguments[2]) == loop.variable)
        return ShortShuffle{tokens[loop.begin].line, loop.variable};
    }
  }
  return std::nullopt;
}

}  // namespace warplings
