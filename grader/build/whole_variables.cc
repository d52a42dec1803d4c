// SPDX-License-Identifier: Apache-2.0
#include "grader/build/whole_variables.h"

#include <map>
#include <set>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool IsWholeType(const std::string& text) {
  return IsOneOf(text, {"int", "unsigned", "short", "long", "char", "size_t", "int32_t", "uint32_t"});
}

/// The parameters `float* name` and `double* name` of the function whose parenthesis opens at `open`.
std::set<std::string> FloatArrays(const Tokens& tokens, std::size_t open, std::size_t end) {
  std::set<std::string> names;
  bool is_float = false, is_pointer = false;
  for (std::size_t at = open + 1; at < end; ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {",", ")"})) {
      if (is_float && is_pointer && IsName(tokens[at - 1].text)) names.insert(tokens[at - 1].text);
      is_float = is_pointer = false;
    }
    is_float |= IsOneOf(text, {"float", "double"});
    is_pointer |= text == "*";
  }
  return names;
}

/// `int a, b[4]`: the names that the declaration from `at` on has.
void AddDeclared(const Tokens& tokens, std::size_t at, std::size_t end,
                 std::map<std::string, WholeVariable>& declared) {
  std::string type = tokens[at].text;
  while (at + 1 < end && IsWholeType(tokens[at + 1].text)) type += " " + tokens[++at].text;
  for (++at; at < end && IsName(tokens[at].text); ++at) {
    declared[tokens[at].text] = {tokens[at].line, tokens[at].text, type};
    at = BehindSubscripts(tokens, at + 1);
    if (at < end && tokens[at].text == "=") at = EndOfValue(tokens, at + 1, end);
    if (at >= end || tokens[at].text != ",") return;
  }
}

/// What of a function holds floats: arrays that it gets, and its own variables.
struct Floats {
  std::set<std::string> arrays;
  std::map<std::string, WholeVariable> variables;
};

/// Whether a float begins there: `x` or `X[i]`.
bool IsFloatAt(const Tokens& tokens, std::size_t at, const Floats& floats) {
  if (at >= tokens.size()) return false;
  return floats.variables.contains(tokens[at].text) ||
         (floats.arrays.contains(tokens[at].text) && IsAt(tokens, at + 1, "["));
}

/// Whether one ends before that token.
bool EndsFloat(const Tokens& tokens, std::size_t end, const Floats& floats) {
  std::size_t at = end;
  while (at > 0 && tokens[at - 1].text == "]") {
    int depth = 0;
    do {
      --at;
      depth += tokens[at].text == "]" ? 1 : tokens[at].text == "[" ? -1 : 0;
    } while (at > 0 && depth > 0);
  }
  return at > 0 && IsFloatAt(tokens, at - 1, floats);
}

/// Whether the value has such a float, as it is: `int bin = x[i] * 10` and `int(x[i])` round because they
/// mean to.
bool HasFloat(const Tokens& tokens, TokenRange value, const Floats& floats) {
  bool has_float = false;
  int depth = 0;
  for (std::size_t at = value.begin; at < value.end; ++at) {
    const std::string& text = tokens[at].text;
    depth += text == "[" ? 1 : text == "]" ? -1 : 0;
    if (depth != 0) continue;
    // A product of two floats is summed up; one with a number may be scaled to be rounded.
    if (text == "*" && IsFloatAt(tokens, at + 1, floats) && EndsFloat(tokens, at, floats)) continue;
    if (IsOneOf(text, {"*", "/", "int", "unsigned", "floor", "floorf", "round", "roundf"})) return false;
    has_float |= IsFloatAt(tokens, at, floats);
  }
  return has_float;
}

std::optional<WholeVariable> FindIn(const Tokens& tokens, std::size_t begin, std::size_t end,
                                    const std::set<std::string>& arrays) {
  std::map<std::string, WholeVariable> declared;
  Floats floats{arrays, {}};
  for (std::size_t at = begin; at < end; ++at) {
    if (IsOneOf(tokens[at].text, {"float", "double"}) && !IsOneOf(tokens[at - 1].text, {"(", "<", ","}))
      AddDeclared(tokens, at, end, floats.variables);
    if (IsWholeType(tokens[at].text) && !IsOneOf(tokens[at - 1].text, {"(", "<", ","}) &&
        !IsWholeType(tokens[at - 1].text))
      AddDeclared(tokens, at, end, declared);
    const auto variable = declared.find(tokens[at].text);
    if (variable == declared.end()) continue;
    const std::size_t sign = BehindSubscripts(tokens, at + 1);
    if (sign >= end || !IsOneOf(tokens[sign].text, {"=", "+="})) continue;
    // A single whole variable that is set once is an index, perhaps: of these only sums are meant.
    const bool is_array = sign > at + 1;
    if (!is_array && tokens[sign].text != "+=") continue;
    if (HasFloat(tokens, {sign + 1, EndOfValue(tokens, sign + 1, end)}, floats)) return variable->second;
  }
  return std::nullopt;
}

/// Whether each use of the name is a summand or a factor beside a float, and none an index.
bool IsOnlyUsedWithFloats(const Tokens& tokens, TokenRange range, const std::string& name,
                          const Floats& floats) {
  std::size_t uses = 0;
  int depth = 0;
  for (std::size_t at = range.begin; at < range.end; ++at) {
    depth += tokens[at].text == "[" ? 1 : tokens[at].text == "]" ? -1 : 0;
    if (tokens[at].text != name) continue;
    const bool before = IsOneOf(tokens[at - 1].text, {"+", "-", "*"}) && EndsFloat(tokens, at - 1, floats);
    const bool behind = IsOneOf(tokens[at + 1].text, {"+", "-", "*"}) && IsFloatAt(tokens, at + 2, floats);
    if (depth != 0 || !(before || behind)) return false;
    ++uses;
  }
  return uses > 0;
}

}  // namespace

std::optional<WholeVariable> FindWholeVariable(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (tokens[at].text != "(" || !IsName(tokens[at - 1].text)) continue;
    const std::size_t body = BehindParentheses(tokens, at);
    if (body >= tokens.size() || tokens[body].text != "{") continue;
    const std::size_t end = BehindBracket(tokens, body) - 1;
    const std::set<std::string> arrays = FloatArrays(tokens, at, body);
    if (!arrays.empty()) {
      if (auto found = FindIn(tokens, body + 1, end, arrays)) return found;
    }
  }
  return std::nullopt;
}

std::optional<WholeVariable> FindRoundedVariable(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t open = 1; open < tokens.size(); ++open) {
    if (tokens[open].text != "(" || !IsName(tokens[open - 1].text)) continue;
    const std::size_t body = BehindParentheses(tokens, open);
    if (body >= tokens.size() || tokens[body].text != "{") continue;
    const std::size_t end = BehindBracket(tokens, body) - 1;
    Floats floats{FloatArrays(tokens, open, body), {}};
    for (std::size_t at = body + 1; at + 3 < end; ++at) {
      if (IsOneOf(tokens[at].text, {"float", "double"}) && !IsOneOf(tokens[at - 1].text, {"(", "<", ","}))
        AddDeclared(tokens, at, end, floats.variables);
      const bool declares = tokens[at].text == "int" &&
                            IsOneOf(tokens[at - 1].text, {"const", ";", "{", "}"}) &&
                            IsName(tokens[at + 1].text) && tokens[at + 2].text == "=";
      if (!declares) continue;
      const std::size_t value_end = EndOfValue(tokens, at + 3, end);
      // A float divided by something, or a sum: `int bin = x[i] * bins` is to be rounded.
      bool is_mean = floats.variables.contains(tokens[at + 3].text) && IsAt(tokens, at + 4, "/");
      for (std::size_t i = at + 5; i < value_end; ++i) is_mean = is_mean && tokens[i].text != "(";
      if (is_mean && IsOnlyUsedWithFloats(tokens, {value_end, end}, tokens[at + 1].text, floats))
        return WholeVariable{tokens[at + 1].line, tokens[at + 1].text, "int"};
    }
  }
  return std::nullopt;
}

std::optional<ReplacedSum> FindReplacedSum(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  for (std::size_t each = 0; each < statements.size(); ++each) {
    const std::size_t at = statements[each].begin, end = statements[each].end;
    const bool is_load = statements[each].kind == CodeStatement::Kind::kSimple && end > at + 6 &&
                         IsName(tokens[at].text) && tokens[at + 1].text == "=" &&
                         IsName(tokens[at + 2].text) && tokens[at + 3].text == "[" &&
                         BehindSubscripts(tokens, at + 3) + 1 == end;
    if (!is_load) continue;
    std::optional<std::size_t> loop;
    bool is_chosen = false;
    for (const std::size_t around : Around(statements, each)) {
      if (statements[around].kind == CodeStatement::Kind::kLoop) {
        loop = around;
        break;
      }
      // `if (i == n - 1) last = a[i];`
      is_chosen = is_chosen || HasAny(tokens, {statements[around].begin, at}, {"==", "!=", "break"});
    }
    if (!loop || is_chosen || HasAny(tokens, {statements[*loop].begin, statements[*loop].end}, {"break"}))
      continue;
    const std::string& name = tokens[at].text;
    const auto uses = [&](TokenRange range) {
      std::size_t count = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) count += tokens[i].text == name ? 1 : 0;
      return count;
    };
    const std::size_t body = Around(statements, each).back();
    const TokenRange before{statements[body].begin, statements[*loop].begin};
    bool starts_at_zero = uses(before) == 1;
    for (std::size_t i = before.begin + 1; i + 3 <= before.end && starts_at_zero; ++i) {
      if (tokens[i].text != name) continue;
      starts_at_zero = IsOneOf(tokens[i - 1].text, {"float", "double", "int"}) && tokens[i + 1].text == "=" &&
                       IsOneOf(tokens[i + 2].text, {"0", "0.0f", "0.f", "0.0", "0.0F"}) &&
                       IsAt(tokens, i + 3, ";");
    }
    const bool is_read_later = uses({statements[*loop].end, statements[body].end}) > 0;
    if (starts_at_zero && is_read_later && uses({statements[*loop].begin, statements[*loop].end}) == 1)
      return ReplacedSum{tokens[at].line, name, TextOf(tokens, at, end - 1)};
  }
  return std::nullopt;
}

}  // namespace warplings
