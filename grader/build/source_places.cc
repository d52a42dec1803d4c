// SPDX-License-Identifier: Apache-2.0
#include "grader/build/source_places.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;
using Tokens = std::vector<CodeToken>;

std::optional<std::int64_t> ValueOf(const std::string& word, const std::map<std::string, int>& numbers) {
  if (const auto named = numbers.find(word); named != numbers.end()) return named->second;
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = fault == std::errc() && end == word.data() + word.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// Of `[TILE + 1]`, whose first token is at `at`: 17; moves `at` behind the bracket. Products come first, as
/// in C++; nothing if there is more to it.
std::optional<std::int64_t> ExtentAt(const Tokens& tokens, std::size_t& at,
                                     const std::map<std::string, int>& numbers) {
  std::int64_t sum = 0, product = 1, sign = 1;
  for (++at; at + 1 < tokens.size(); at += 2) {
    const auto value = ValueOf(tokens[at].text, numbers);
    constexpr std::int64_t kLargest = 1 << 20;
    if (!value || *value < 0 || *value > kLargest || product > kLargest) return std::nullopt;
    product *= *value;
    const std::string& next = tokens[at + 1].text;
    if (next == "*") continue;
    sum += sign * product;
    product = 1;
    sign = next == "-" ? -1 : 1;
    if (next == "]") {
      at += 2;
      return sum > 0 ? std::optional(sum) : std::nullopt;
    }
    if (next != "+" && next != "-") return std::nullopt;
  }
  return std::nullopt;
}

bool IsSmallNumberType(const std::string& text) {
  return IsOneOf(text, {"float", "int", "unsigned", "short", "char", "bool", "signed", "uint32_t", "int32_t",
                        "uint16_t", "int16_t", "uint8_t", "int8_t", "__half", "half"});
}

/// The innermost statement with a token of that line; nothing if no statement has one.
std::optional<std::size_t> StatementInLine(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                                           int line) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (std::size_t at = statements[i].begin; at < statements[i].end; ++at) {
      const bool is_call = tokens[at].text.starts_with("__syncthreads") || tokens[at].text == "sync";
      if (tokens[at].line != line || !is_call) continue;
      found = i;
      break;
    }
  }
  return found;
}

bool HasLine(const Tokens& tokens, const CodeStatement& statement, int line) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(statement.begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(statement.end),
                     [line](const CodeToken& token) { return token.line == line; });
}

}  // namespace

std::map<std::string, std::vector<std::int64_t>> SharedExtents(std::string_view source) {
  std::map<std::string, std::vector<std::int64_t>> extents;
  if (source.size() > kLongestSource) return extents;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  std::set<std::string> in_doubt;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != "__shared__") continue;
    ++at;
    bool has_type = false;
    for (; at < tokens.size() && (IsSmallNumberType(tokens[at].text) || tokens[at].text == "volatile"); ++at)
      has_type = true;
    while (has_type && at + 1 < tokens.size() && IsName(tokens[at].text)) {
      const std::string name = tokens[at].text;
      std::vector<std::int64_t> sizes;
      ++at;
      while (at < tokens.size() && tokens[at].text == "[") {
        const auto size = ExtentAt(tokens, at, numbers);
        if (!size) break;
        sizes.push_back(*size);
      }
      const bool is_whole = at < tokens.size() && IsOneOf(tokens[at].text, {",", ";"});
      const auto [known, is_new] = extents.try_emplace(name, sizes);
      if (!is_whole || (!is_new && known->second != sizes)) in_doubt.insert(name);
      if (!is_whole || tokens[at].text == ";") break;
      ++at;
    }
  }
  std::erase_if(extents,
                [&](const auto& each) { return each.second.size() < 2 || in_doubt.contains(each.first); });
  return extents;
}

std::map<std::string, PaddedArray> PaddedArrays(std::string_view source) {
  std::map<std::string, PaddedArray> padded;
  const auto extents = SharedExtents(source);
  if (extents.empty()) return padded;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  for (std::size_t at = 2; at + 5 < tokens.size(); ++at) {
    // `] [ TILE + 1 ]` behind the name of such an array.
    const bool is_sum = tokens[at - 1].text == "]" && tokens[at].text == "[" && tokens[at + 2].text == "+" &&
                        tokens[at + 4].text == "]" && IsOneOf(tokens[at + 5].text, {",", ";"});
    const auto columns = is_sum ? ValueOf(tokens[at + 1].text, numbers) : std::nullopt;
    const auto padding = is_sum ? ValueOf(tokens[at + 3].text, numbers) : std::nullopt;
    if (!columns || !padding) continue;
    std::size_t name = at - 1;
    constexpr std::size_t kFarthest = 16;
    while (name > 0 && at - name < kFarthest && !extents.contains(tokens[name].text)) --name;
    const auto array = extents.find(tokens[name].text);
    if (array != extents.end() && array->second.back() == *columns + *padding)
      padded[array->first] = {*columns, *columns + *padding};
  }
  return padded;
}

bool HasSubscripts(std::string_view source, int line, const std::string& array) {
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].line != line || tokens[at].text != array || tokens[at + 1].text != "[") continue;
    std::size_t end = at + 1;
    for (int depth = 0; end < tokens.size(); ++end) {
      depth += tokens[end].text == "[" ? 1 : tokens[end].text == "]" ? -1 : 0;
      if (depth == 0) break;
    }
    if (IsAt(tokens, end + 1, "[")) return true;
  }
  return false;
}

std::optional<std::string> Subscripts(std::int64_t element, const std::vector<std::int64_t>& extents) {
  std::int64_t rest = element;
  std::string text;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    text = "[" + std::to_string(rest % *extent) + "]" + text;
    rest /= *extent;
  }
  return element >= 0 && rest == 0 ? std::optional(text) : std::nullopt;
}

std::optional<MissedBarrier> WhyMissed(std::string_view source, int barrier_line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const auto barrier = StatementInLine(tokens, statements, barrier_line);
  if (!barrier) return std::nullopt;
  std::vector<MissedBarrier> reasons;
  std::size_t body = *barrier;
  while (statements[body].parent != body) {
    body = statements[body].parent;
    if (statements[body].kind == Flow::kBranch)
      reasons.push_back({MissedBarrier::Why::kCondition, tokens[statements[body].begin].line});
  }
  for (std::size_t at = statements[body].begin; at < statements[*barrier].begin; ++at) {
    if (tokens[at].text == "return") reasons.push_back({MissedBarrier::Why::kReturn, tokens[at].line});
  }
  return reasons.size() == 1 ? std::optional(reasons.front()) : std::nullopt;
}

std::optional<SourceLoop> LoopAround(std::string_view source, int first, int second) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  std::optional<SourceLoop> innermost;
  for (const CodeStatement& each : statements) {
    // A loop stands behind those around it.
    if (each.kind != Flow::kLoop || !HasLine(tokens, each, first) || !HasLine(tokens, each, second)) continue;
    innermost = SourceLoop{tokens[each.begin].line, VariableOfLoop(tokens, each.begin, each.end)};
  }
  return innermost;
}

}  // namespace warplings
