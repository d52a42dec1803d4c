// SPDX-License-Identifier: Apache-2.0
#include "grader/build/moved_pointers.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;
using Tokens = std::vector<CodeToken>;
using NameSet = std::set<std::string>;

struct KernelOrFunction {
  TokenRange body;
  std::size_t parameters = 0;  ///< Where the opening parenthesis is.
};

/// The function with that line in its body.
std::optional<KernelOrFunction> FunctionAround(const Tokens& tokens,
                                               const std::vector<CodeStatement>& statements, int line) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& each = statements[i];
    if (each.parent != i || each.end == 0 || tokens[each.begin].line > line ||
        tokens[each.end - 1].line < line)
      continue;
    std::size_t close = each.begin;
    while (close > 0 && tokens[close].text != ")") --close;
    if (close == 0) return std::nullopt;
    return KernelOrFunction{{each.begin, each.end}, OpeningOf(tokens, close)};
  }
  return std::nullopt;
}

/// The parameters that are no pointers.
NameSet NumbersAmong(const Tokens& tokens, std::size_t parameters) {
  NameSet numbers;
  for (const TokenRange& part : PartsOf(tokens, parameters)) {
    if (part.begin == part.end || !IsName(tokens[part.end - 1].text)) continue;
    bool is_pointer = false;
    for (std::size_t at = part.begin; at < part.end; ++at) is_pointer |= tokens[at].text == "*";
    if (!is_pointer) numbers.insert(tokens[part.end - 1].text);
  }
  return numbers;
}

/// The parameters that something in the sum is multiplied by.
NameSet LengthsIn(const Tokens& tokens, TokenRange range, const NameSet& numbers) {
  NameSet lengths;
  const std::optional<IndexSum> sum = ReadSum(tokens, range);
  if (!sum) return lengths;
  for (const IndexTerm& term : sum->terms()) {
    const bool is_product = term.factors.size() + (term.times != 1 ? 1 : 0) > 1;
    for (const std::string& factor : term.factors) {
      if (is_product && numbers.contains(factor)) lengths.insert(factor);
    }
  }
  return lengths;
}

/// Whether the parenthesis there closes the condition of an if or a loop, so that a statement begins behind
/// it.
bool ClosesCondition(const Tokens& tokens, std::size_t close) {
  const std::size_t open = OpeningOf(tokens, close);
  return open > 0 && IsOneOf(tokens[open - 1].text, {"if", "for", "while"});
}

/// Whether the name at `at` is a pointer of which an element is used: `*p`, `p[i]`.
bool IsUsed(const Tokens& tokens, std::size_t at) {
  if (IsAt(tokens, at + 1, "[")) return true;
  if (at < 2 || tokens[at - 1].text != "*") return false;
  const std::string& before = tokens[at - 2].text;
  if (before == ")") return ClosesCondition(tokens, at - 2);
  const bool is_value =
      IsName(before) || before == "]" || std::isdigit(static_cast<unsigned char>(before[0])) != 0;
  return !is_value || before == "return" || before == "else";
}

struct SetPointer {
  std::string name;
  TokenRange value;
};

/// `const float* p = ARRAY + …;` of a pointer that the line uses.
std::optional<SetPointer> PointerInto(const Tokens& tokens, const KernelOrFunction& function, int line,
                                      std::string_view array) {
  std::optional<SetPointer> found;
  const TokenRange body = function.body;
  for (std::size_t at = body.begin + 1; at + 1 < body.end; ++at) {
    if (tokens[at].text != "=" || !IsName(tokens[at - 1].text) || tokens[at + 1].text != array) continue;
    const std::string& name = tokens[at - 1].text;
    bool is_used = false;
    for (std::size_t i = body.begin; i < body.end; ++i)
      is_used |= tokens[i].line == line && tokens[i].text == name && IsUsed(tokens, i);
    if (!is_used) continue;
    if (found) return std::nullopt;
    found = SetPointer{name, {at + 1, EndOfValue(tokens, at + 1, body.end)}};
  }
  return found;
}

/// Of the innermost loop around both: the last condition before it that is around it, or 0 if one is inside.
int ConditionBeforeLoop(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                        std::size_t access, std::size_t move) {
  const auto has = [&](const CodeStatement& each, std::size_t at) {
    return each.begin <= at && at < each.end;
  };
  const CodeStatement* loop = nullptr;
  for (const CodeStatement& each : statements) {
    if (each.kind == Flow::kLoop && has(each, access) && has(each, move)) loop = &each;
  }
  if (loop == nullptr) return 0;
  int line = 0;
  for (const CodeStatement& each : statements) {
    if (each.kind == Flow::kSimple && has(each, access)) {
      for (std::size_t at = each.begin; at < each.end; ++at) {
        if (tokens[at].text == "?") return 0;
      }
    }
    if (each.kind != Flow::kBranch || tokens[each.begin].text != "if") continue;
    if (has(*loop, each.begin)) return 0;
    if (has(each, loop->begin)) line = tokens[each.begin].line;
  }
  return line;
}

}  // namespace

std::optional<MovedPointer> FindMovedPointer(std::string_view source, int line, std::string_view array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const auto function = FunctionAround(tokens, statements, line);
  if (!function) return std::nullopt;
  const auto pointer = PointerInto(tokens, *function, line, array);
  if (!pointer) return std::nullopt;
  std::optional<TokenRange> step;
  std::size_t access = 0;
  const TokenRange body = function->body;
  for (std::size_t at = body.begin; at + 1 < body.end; ++at) {
    if (tokens[at].text != pointer->name || at + 1 == pointer->value.begin - 1) continue;
    const std::string& next = tokens[at + 1].text;
    if (IsOneOf(next, {"++", "--"}) || IsOneOf(tokens[at - 1].text, {"++", "--"})) return std::nullopt;
    if (IsUsed(tokens, at)) {
      if (tokens[at].line == line) access = at;
      continue;
    }
    if (next == "=" || (IsCompoundAssignment(next) && next != "+=")) return std::nullopt;
    if (next != "+=") continue;
    if (step) return std::nullopt;
    step = TokenRange{at + 2, EndOfValue(tokens, at + 2, body.end)};
  }
  if (!step || access == 0) return std::nullopt;
  MovedPointer moved{
      pointer->name, TextOf(tokens, step->begin, step->end), tokens[step->begin].line, "", 0, 0};
  const NameSet numbers = NumbersAmong(tokens, function->parameters);
  const NameSet rows = LengthsIn(tokens, pointer->value, numbers), steps = LengthsIn(tokens, *step, numbers);
  if (rows.size() == 1 && steps.size() == 1 && rows != steps) {
    moved.length = *rows.begin();
    moved.length_line = tokens[pointer->value.begin].line;
  }
  moved.condition_line = ConditionBeforeLoop(tokens, statements, access, step->begin);
  return moved;
}

std::optional<PassedSum> FindPassedSum(std::string_view source, int line, std::string_view array,
                                       const std::set<std::string>& zero) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const auto function = FunctionAround(tokens, StatementsOf(tokens), line);
  if (!function || function->parameters < 1) return std::nullopt;
  const TokenRange body = function->body;
  bool is_zero = false;
  for (std::size_t at = body.begin; at + 1 < body.end; ++at) {
    if (tokens[at].line != line || tokens[at].text != array || tokens[at + 1].text != "[") continue;
    const auto index = ReadSum(tokens, {at + 2, EndOfValue(tokens, at + 2, body.end)});
    is_zero = index && std::ranges::all_of(index->terms(), [&](const IndexTerm& term) {
                return std::ranges::any_of(term.factors,
                                           [&](const std::string& name) { return zero.contains(name); });
              });
  }
  if (!is_zero || Changes(tokens, body, std::string(array))) return std::nullopt;
  const std::vector<TokenRange> parameters = PartsOf(tokens, function->parameters);
  const auto place = std::ranges::find_if(parameters, [&](const TokenRange& part) {
    return part.begin < part.end && tokens[part.end - 1].text == array;
  });
  if (place == parameters.end()) return std::nullopt;
  const std::string& kernel = tokens[function->parameters - 1].text;
  std::optional<PassedSum> found;
  bool is_launch = false;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text == ";") is_launch = false;
    if (tokens[at].text == kernel && (at < body.begin || at >= body.end)) is_launch = true;
    const bool is_behind =
        tokens[at - 1].text == ">>" && tokens[at].text == ">" && tokens[at + 1].text == "(";
    if (!is_launch || !is_behind) continue;
    const std::vector<TokenRange> arguments = PartsOf(tokens, at + 1);
    if (found || arguments.size() != parameters.size()) return std::nullopt;
    const TokenRange argument = arguments.at(static_cast<std::size_t>(place - parameters.begin()));
    found = PassedSum{tokens[at + 1].line, TextOf(tokens, argument.begin, argument.end)};
    if (std::none_of(tokens.begin() + static_cast<std::ptrdiff_t>(argument.begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(argument.end),
                     [](const CodeToken& each) { return each.text == "+"; }))
      return std::nullopt;
  }
  return found;
}

}  // namespace warplings
