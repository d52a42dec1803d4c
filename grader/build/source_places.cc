// SPDX-License-Identifier: Apache-2.0
#include "grader/build/source_places.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <sstream>

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

Tokens PartOf(const Tokens& tokens, std::size_t begin, std::size_t end) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(begin),
          tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// `TILE + 2 * 2` in numbers; nothing if a name has none.
std::optional<std::int64_t> ValueOf(const Tokens& tokens, const std::map<std::string, int>& numbers) {
  Tokens bracketed = {{"[", 0}};
  bracketed.insert(bracketed.end(), tokens.begin(), tokens.end());
  bracketed.push_back({"]", 0});
  std::size_t at = 0;
  const auto value = ExtentAt(bracketed, at, numbers);
  return at == bracketed.size() ? value : std::nullopt;
}

/// The last extent that a shared array is declared with; nothing if it has fewer than two.
Tokens LastExtent(const Tokens& tokens, const std::string& array) {
  bool is_shared = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (IsOneOf(tokens[i].text, {";", "{", "}"})) is_shared = false;
    is_shared = is_shared || tokens[i].text == "__shared__";
    if (!is_shared || tokens[i].text != array || tokens[i + 1].text != "[") continue;
    const std::size_t second = BehindBracket(tokens, i + 1), end = BehindSubscripts(tokens, i + 1);
    if (end <= second || end > tokens.size()) return {};
    std::size_t open = second;
    while (BehindBracket(tokens, open) < end) open = BehindBracket(tokens, open);
    return PartOf(tokens, open + 1, end - 1);
  }
  return {};
}

/// What a macro or a constant of one name stands for; anything else as it is.
Tokens Expanded(const Tokens& tokens, const std::string& code) {
  if (tokens.size() != 1) return tokens;
  const std::string& name = tokens.front().text;
  std::string found;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, text;
    while (words >> word && word != name) {
    }
    const bool is_macro = line.find("#define") != line.npos,
               is_constant = line.find("constexpr") != line.npos;
    if (word != name || (!is_macro && !is_constant) || !std::getline(words, text)) continue;
    found = text;
  }
  Tokens value = TokensOf(found);
  std::erase_if(value, [](const CodeToken& each) { return IsOneOf(each.text, {"(", ")", "=", ";"}); });
  return value.empty() ? tokens : value;
}

/// `TILE + 2 * kRadius`, more than `TILE`: what is added is no less than 0.
bool IsMoreThan(const Tokens& sum, const Tokens& part) {
  if (sum.size() < part.size() + 2 ||
      std::ranges::any_of(sum, [](const CodeToken& each) { return each.text == "-"; }))
    return false;
  const auto same = [](const CodeToken& one, const CodeToken& other) { return one.text == other.text; };
  const auto begins = std::ranges::equal(PartOf(sum, 0, part.size()), part, same);
  const auto ends = std::ranges::equal(PartOf(sum, sum.size() - part.size(), sum.size()), part, same);
  return (begins && sum[part.size()].text == "+") || (ends && sum[sum.size() - part.size() - 1].text == "+");
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

namespace {

/// What an index stays below, and the index as it is written; empty where the source does not tell.
struct BoundOfIndex {
  std::string index, text;
  Tokens bound;
};

/// The one bound that the source compares the variable with, or `N` of the only `c = q % N` that sets it.
BoundOfIndex BoundOfVariable(const Tokens& tokens, const std::string& variable) {
  std::map<std::string, Tokens> bounds;
  std::size_t values = 0;
  Tokens divisor;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != variable) continue;
    if (tokens[i + 1].text == "<") {
      std::size_t last = i + 2;
      while (last < tokens.size() && !IsOneOf(tokens[last].text, {";", ")", "&&", "{"})) ++last;
      bounds[TextOf(tokens, i + 2, last)] = PartOf(tokens, i + 2, last);
    }
    if (!IsOneOf(tokens[i + 1].text, {"=", "+=", "-=", "++", "--"})) continue;
    ++values;
    const bool is_remainder = IsName(tokens[i + 2].text) && IsAt(tokens, i + 3, "%") &&
                              i + 5 < tokens.size() && IsOneOf(tokens[i + 5].text, {";", ","});
    if (is_remainder) divisor = PartOf(tokens, i + 4, i + 5);
  }
  if (bounds.size() == 1) return {variable, bounds.begin()->first, bounds.begin()->second};
  if (bounds.empty() && values == 1 && !divisor.empty()) return {variable, divisor.front().text, divisor};
  return {};
}

/// Of the last subscript of those that end at `end`: a variable alone, or `q % N`.
BoundOfIndex BoundOfColumn(const Tokens& tokens, std::size_t end) {
  if (tokens[end - 3].text == "[" && IsName(tokens[end - 2].text))
    return BoundOfVariable(tokens, tokens[end - 2].text);
  const bool is_remainder =
      end >= 5 && tokens[end - 5].text == "[" && IsName(tokens[end - 4].text) && tokens[end - 3].text == "%";
  if (!is_remainder) return {};
  return {TextOf(tokens, end - 4, end - 1), tokens[end - 2].text, PartOf(tokens, end - 2, end - 1)};
}

}  // namespace

std::optional<IndexPastRow> FindIndexPastRow(std::string_view source, int line, const std::string& array) {
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const Tokens extent = LastExtent(tokens, array);
  if (extent.empty()) return std::nullopt;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool is_access = tokens[at].line == line && tokens[at].text == array;
    const std::size_t end = is_access ? BehindSubscripts(tokens, at + 1) : 0;
    if (end < at + 4) continue;
    const auto& [index, text, bound] = BoundOfColumn(tokens, end);
    if (bound.empty()) continue;
    const auto numbers = NamedNumbers(code);
    const auto most = ValueOf(bound, numbers), has = ValueOf(extent, numbers);
    if (most && has && *most > *has)
      return IndexPastRow{index, std::to_string(*has), std::to_string(*most - 1)};
    if ((!most || !has) && IsMoreThan(Expanded(bound, code), extent))
      return IndexPastRow{index, TextOf(extent, 0, extent.size()), text + " - 1"};
  }
  return std::nullopt;
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

namespace {

/// The `break` and `continue` that keep a thread from the barrier: of a loop around both.
std::vector<MissedBarrier> JumpsPast(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                                     std::size_t barrier) {
  std::vector<MissedBarrier> jumps;
  for (const CodeStatement& each : statements) {
    const std::string& jump = tokens[each.begin].text;
    if (each.kind != Flow::kSimple || !IsOneOf(jump, {"break", "continue"})) continue;
    std::size_t around = each.parent;
    const auto is_left = [&](std::size_t i) {
      return statements[i].kind == Flow::kLoop ||
             (jump == "break" && tokens[statements[i].begin].text == "switch");
    };
    while (!is_left(around) && statements[around].parent != around) around = statements[around].parent;
    const bool has_barrier = statements[around].kind == Flow::kLoop &&
                             statements[around].begin <= statements[barrier].begin &&
                             statements[barrier].end <= statements[around].end;
    // A pass that goes on behind the barrier has met it.
    if (!has_barrier || (jump == "continue" && each.begin > statements[barrier].begin)) continue;
    jumps.push_back({MissedBarrier::Why::kJump, tokens[each.begin].line, jump});
  }
  return jumps;
}

}  // namespace

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
      reasons.push_back({MissedBarrier::Why::kCondition, tokens[statements[body].begin].line, ""});
  }
  for (std::size_t at = statements[body].begin; at < statements[*barrier].begin; ++at) {
    if (tokens[at].text == "return") reasons.push_back({MissedBarrier::Why::kReturn, tokens[at].line, ""});
  }
  std::ranges::move(JumpsPast(tokens, statements, *barrier), std::back_inserter(reasons));
  return reasons.size() == 1 ? std::optional(reasons.front()) : std::nullopt;
}

namespace {

/// The names in the subscripts of that line; only in those of the array, if it has a name.
std::set<std::string> NamesInSubscripts(const Tokens& tokens, int line, std::string_view array) {
  std::set<std::string> names;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    const bool is_access =
        tokens[at].line == line && tokens[at].text == "[" && (array.empty() || tokens[at - 1].text == array);
    if (!is_access) continue;
    for (std::size_t i = at + 1; i < BehindSubscripts(tokens, at); ++i) {
      if (IsName(tokens[i].text)) names.insert(tokens[i].text);
    }
  }
  return names;
}

/// Whether the header of the for at `at` makes its variable larger in each round.
bool CountsUp(const Tokens& tokens, std::size_t at) {
  return HasAny(tokens, {at, BehindBracket(tokens, at + 1)}, {"++", "+=", "*=", "<<="});
}

}  // namespace

std::optional<Passage> PassageTo(std::string_view source, int line, std::string_view array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::set<std::string> names = NamesInSubscripts(tokens, line, array);
  std::optional<Passage> innermost;
  for (const CodeStatement& each : StatementsOf(tokens)) {
    if (!HasLine(tokens, each, line)) continue;
    const int own = tokens[each.begin].line;
    if (each.kind == Flow::kLoop) {
      const std::string variable = VariableOfLoop(tokens, each.begin, each.end);
      if (names.contains(variable) && CountsUp(tokens, each.begin)) innermost = Passage{own, variable};
    } else if (each.kind == Flow::kBranch && tokens[each.begin].text == "if") {
      const std::size_t end = BehindBracket(tokens, each.begin + 1);
      const auto is_of_index = [&](const CodeToken& token) { return names.contains(token.text); };
      const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(each.begin);
      if (std::any_of(from, tokens.begin() + static_cast<std::ptrdiff_t>(end), is_of_index))
        innermost = Passage{own, ""};
    }
  }
  return innermost;
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
