// SPDX-License-Identifier: Apache-2.0
#include "grader/build/store_mistakes.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

bool IsEndOfStatement(const std::string& text) {
  return IsOneOf(text, {";", "{", "}"});
}

/// Whether the = at `at` is part of a condition: in the parentheses of an if or a while, or an operand of a
/// comparison, && or ||.
bool StandsInCondition(const Code& tokens, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i > 0; --i) {
    const std::string& text = tokens[i - 1].text;
    if (IsEndOfStatement(text)) return false;
    if (IsOneOf(text, {")", "]"})) ++depth;
    if (!IsOneOf(text, {"(", "["})) {
      if (depth == 0 && text == ",") return false;
      if (depth == 0 && IsOneOf(text, {"&&", "||", "==", "!=", "<=", ">="})) return true;
      continue;
    }
    if (--depth >= 0) continue;
    return text == "(" && i >= 2 && IsOneOf(tokens[i - 2].text, {"if", "while"});
  }
  return false;
}

/// What an assignment or an increment changes.
struct Target {
  std::string name;
  bool is_element = false;  ///< `M[i]` or `*M`, not M itself.
};

/// The target that ends before `end`: `M[row][col]`, `*M`, `phases`; nothing for members and calls.
std::optional<Target> TargetBefore(const Code& tokens, std::size_t end) {
  Target target;
  std::size_t i = end;
  for (int depth = 0; i > 0 && (depth > 0 || tokens[i - 1].text == "]"); --i) {
    depth += tokens[i - 1].text == "]" ? 1 : tokens[i - 1].text == "[" ? -1 : 0;
    target.is_element = true;
  }
  if (i == 0 || !IsName(tokens[i - 1].text)) return std::nullopt;
  target.name = tokens[i - 1].text;
  if (i < 2) return target;
  const std::string& before = tokens[i - 2].text;
  if (IsOneOf(before, {".", "->", "::"})) return std::nullopt;
  const bool is_dereference =
      before == "*" && (i == 2 || IsEndOfStatement(tokens[i - 3].text) || tokens[i - 3].text == ")");
  target.is_element = target.is_element || is_dereference;
  return target;
}

/// The target that begins at `at`, behind ++ or --.
std::optional<Target> TargetFrom(const Code& tokens, std::size_t at) {
  if (at >= tokens.size() || !IsName(tokens[at].text)) return std::nullopt;
  if (at + 1 < tokens.size() && IsOneOf(tokens[at + 1].text, {".", "->", "::", "("})) return std::nullopt;
  return Target{.name = tokens[at].text, .is_element = IsAt(tokens, at + 1, "[")};
}

std::optional<Target> TargetOf(const Code& tokens, std::size_t at) {
  const std::string& text = tokens[at].text;
  if (text == "=" || IsCompoundAssignment(text)) return TargetBefore(tokens, at);
  if (!IsOneOf(text, {"++", "--"})) return std::nullopt;
  if (auto target = TargetBefore(tokens, at)) return target;
  return TargetFrom(tokens, at + 1);
}

/// A declaration that says const.
struct Constant {
  bool elements = false, itself = false;
  int line = 0;
};

/// Of the name at `at`, if it is declared there: a type comes before it.
std::optional<Constant> DeclaredAt(const Code& tokens, std::size_t at) {
  if (at == 0 || at + 1 >= tokens.size() || !IsName(tokens[at].text)) return std::nullopt;
  if (!IsOneOf(tokens[at + 1].text, {",", ")", "=", ";", "[", "{"})) return std::nullopt;
  const std::string& before = tokens[at - 1].text;
  if (!IsName(before) && !IsOneOf(before, {"*", "&", ">"})) return std::nullopt;
  constexpr std::size_t kLongest = 12;  // Tokens of a type.
  Constant found{.line = tokens[at].line};
  bool has_type = false, has_star = false;
  const bool is_array = tokens[at + 1].text == "[";
  for (std::size_t i = at; i > 0 && at - i < kLongest; --i) {
    const std::string& text = tokens[i - 1].text;
    if (IsOneOf(text, {"(", ")", ",", ";", "{", "}", "=", "return", "else", "do"})) break;
    if (text == "*") {
      has_star = true;
    } else if (IsOneOf(text, {"const", "constexpr"})) {
      (has_star || is_array ? found.elements : found.itself) = true;
    } else if (IsName(text)) {
      has_type = true;
    }
  }
  return has_type ? std::optional<Constant>(found) : std::nullopt;
}

/// Whether the name is a parameter of a kernel all of whose pointers are const: then it has no other output.
bool HasOnlyConstArrays(const Code& tokens, const std::string& name, int line) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != "__global__") continue;
    std::size_t open = at + 1;
    while (open < tokens.size() && !IsOneOf(tokens[open].text, {"(", ";", "{"})) {
      const bool has_bounds = tokens[open].text == "__launch_bounds__";
      open = has_bounds ? BehindBracket(tokens, open + 1) : open + 1;
    }
    if (!IsAt(tokens, open, "(")) continue;
    const std::size_t close = BehindBracket(tokens, open);
    const bool is_meant =
        std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(open),
                    tokens.begin() + static_cast<std::ptrdiff_t>(close),
                    [&](const CodeToken& each) { return each.text == name && each.line == line; });
    const auto takes = is_meant ? ParametersAt(tokens, open) : std::nullopt;
    if (!takes) continue;
    return std::ranges::all_of(takes->parameters, [](const Parameter& each) {
      return each.type.stars == 0 || (each.type.stars == 1 && each.type.is_const);
    });
  }
  return false;
}

std::optional<KnownMistake> StoreToConstant(const Code& tokens, int line) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].line != line) continue;
    const auto target = TargetOf(tokens, i);
    // The = of a declaration gives a value, and changes none.
    if (!target || (tokens[i].text == "=" && i > 0 && DeclaredAt(tokens, i - 1))) continue;
    std::optional<Constant> declared;
    for (std::size_t at = 0; at < i; ++at) {
      if (tokens[at].text != target->name) continue;
      if (auto one = DeclaredAt(tokens, at)) declared = one;
    }
    if (!declared) continue;
    if (target->is_element && declared->elements) {
      if (HasOnlyConstArrays(tokens, target->name, declared->line))
        return KnownMistake{say::in_line(line, say::elements_are_const(target->name)),
                            say::drop_const_of_output(target->name, say::Line(declared->line))};
      return KnownMistake{say::in_line(line, say::elements_are_const(target->name)),
                          say::store_to_output(target->name)};
    }
    if (!target->is_element && declared->itself) {
      return KnownMistake{say::in_line(line, say::variable_is_const(target->name)),
                          say::change_another_variable(target->name, say::Line(declared->line))};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<KnownMistake> FindStoreMistake(const Code& tokens, int line, std::string_view words) {
  if (words != "expression must be a modifiable lvalue") return std::nullopt;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].line == line && tokens[i].text == "=" && StandsInCondition(tokens, i))
      return KnownMistake{say::in_line(line, say::assigns_in_condition()), say::write_comparison()};
  }
  return StoreToConstant(tokens, line);
}

}  // namespace warplings
