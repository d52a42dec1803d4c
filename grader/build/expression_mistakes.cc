// SPDX-License-Identifier: Apache-2.0
#include "grader/build/expression_mistakes.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// How the last declaration of a name before a token makes it an array: its line, and its extents; an array
/// that is a parameter, or a pointer, has none.
struct DeclaredArray {
  int line = 0;
  std::string extents;  ///< "[4]"
};

std::optional<DeclaredArray> ArrayDeclaredBefore(const Code& tokens, std::size_t use) {
  for (std::size_t i = use; i-- > 1;) {
    if (tokens[i].text != tokens[use].text) continue;
    const std::string& before = tokens[i - 1].text;
    const bool is_declared = IsNumberType(before) || (IsName(before) && before != "return");
    if (!is_declared) continue;
    if (!IsAt(tokens, i + 1, "[")) return std::nullopt;
    const std::size_t end = BehindSubscripts(tokens, i + 1);
    std::string extents = TextOf(tokens, i + 1, end);
    return DeclaredArray{tokens[i].line, std::move(extents)};
  }
  return std::nullopt;
}

KnownMistake ElementMissing(const std::string& name, const DeclaredArray& array, int line) {
  return {say::in_line(line, say::whole_array_used(name, name + array.extents, say::Line(array.line))),
          say::say_which_element(name)};
}

/// `sum += x` and `sum = x`, where sum is an array.
std::optional<KnownMistake> ArrayAssigned(const Code& tokens, int line, std::string_view words) {
  if (words != "expression must be a modifiable lvalue") return std::nullopt;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    const bool changes = text == "=" || IsCompoundAssignment(text) || IsOneOf(text, {"++", "--"});
    if (tokens[i].line != line || !changes || !IsName(tokens[i - 1].text)) continue;
    if (const auto array = ArrayDeclaredBefore(tokens, i - 1))
      return ElementMissing(tokens[i - 1].text, *array, line);
  }
  return std::nullopt;
}

/// `P[i] = sum;` and `*p = sum;`, where sum is an array.
std::optional<KnownMistake> ArrayStored(const Code& tokens, int line, std::string_view words) {
  const bool is_of_value = words.starts_with("a value of type \"") &&
                           words.find(" *\" cannot be assigned to an entity of type") != words.npos;
  if (!is_of_value) return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "=") continue;
    for (std::size_t at = i + 1; at < tokens.size() && tokens[at].text != ";"; ++at) {
      const bool is_whole = IsName(tokens[at].text) && !IsAt(tokens, at + 1, "[") &&
                            !IsOneOf(tokens[at - 1].text, {".", "->", "*"});
      if (!is_whole) continue;
      if (const auto array = ArrayDeclaredBefore(tokens, at))
        return ElementMissing(tokens[at].text, *array, line);
    }
  }
  return std::nullopt;
}

/// `float sum[4] = 0.0f;`
std::optional<KnownMistake> ArrayFromNumber(const Code& tokens, int line, std::string_view words) {
  if (words != "initialization with \"{...}\" expected for aggregate object") return std::nullopt;
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "=" || tokens[i - 1].text != "]") continue;
    std::size_t name = i;
    while (name > 1 && !(tokens[name].text == "[" && IsName(tokens[name - 1].text))) --name;
    --name;
    if (tokens[name].line != line || !IsName(tokens[name].text)) return std::nullopt;
    return KnownMistake{say::in_line(line, say::array_from_number(tokens[name].text)),
                        say::initialise_with_braces(TextOf(tokens, name, i) + " = {}")};
  }
  return std::nullopt;
}

/// `Nds(k, tx)`
std::optional<KnownMistake> ArrayCalled(const Code& tokens, int line, std::string_view words) {
  if (!words.starts_with("expression preceding parentheses of apparent call must have")) return std::nullopt;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || !IsName(tokens[i].text) || tokens[i + 1].text != "(") continue;
    const auto declared = DeclaredType(tokens, tokens[i].text, i);
    if (!ArrayDeclaredBefore(tokens, i) && !(declared && declared->stars > 0)) continue;
    std::string subscripts;
    for (const TokenRange& part : PartsOf(tokens, i + 1))
      subscripts += "[" + TextOf(tokens, part.begin, part.end) + "]";
    const std::string& name = tokens[i].text;
    return KnownMistake{say::in_line(line, say::array_called(name)),
                        say::write_subscripts(name + subscripts)};
  }
  return std::nullopt;
}

/// `blockIdx.Y`
std::optional<KnownMistake> PartInCapitals(const Code& tokens, int line, std::string_view words) {
  const bool is_of_index =
      words.starts_with("class \"uint3\" has no member") || words.starts_with("class \"dim3\" has no member");
  if (!is_of_index) return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "." || IsOneOf(tokens[i + 1].text, {"x", "y", "z"}))
      continue;
    if (!IsName(tokens[i - 1].text)) continue;
    const std::string &name = tokens[i - 1].text, &part = tokens[i + 1].text;
    const bool is_capital = IsOneOf(part, {"X", "Y", "Z"});
    const std::string meant(1, static_cast<char>(std::tolower(static_cast<unsigned char>(part.front()))));
    return KnownMistake{say::in_line(line, say::no_such_part(name, part)),
                        is_capital ? say::write_part(name + "." + meant) : say::parts_are_x_y_z()};
  }
  return std::nullopt;
}

/// `for (int i = 0; i < n, ++i)`
std::optional<KnownMistake> CommaInLoop(const Code& tokens, int line, std::string_view words) {
  // With commas alone, the condition looks like one more declaration of the counter.
  const bool is_declared = words.ends_with("has already been declared in the current scope");
  if (words != "expected a \";\"" && !is_declared) return std::nullopt;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "for" || tokens[i + 1].text != "(") continue;
    int depth = 0, semicolons = 0, commas = 0, colons = 0;
    for (std::size_t at = i + 1; at < BehindBracket(tokens, i + 1); ++at) {
      const std::string& text = tokens[at].text;
      if (depth == 1) {
        semicolons += text == ";";
        commas += text == ",";
        colons += text == ":";
      }
      depth += IsOneOf(text, {"(", "[", "{"}) ? 1 : IsOneOf(text, {")", "]", "}"}) ? -1 : 0;
    }
    if (semicolons == 0 && commas > 1 && colons == 0)
      return KnownMistake{say::in_line(line, say::commas_in_loop()), say::write_semicolon_for_comma()};
    if (semicolons < 2 && commas > 0 && colons == 0 && !is_declared)
      return KnownMistake{say::in_line(line, say::comma_in_loop()), say::write_semicolon_for_comma()};
  }
  return std::nullopt;
}

}  // namespace

std::optional<KnownMistake> FindExpressionMistake(const Code& tokens, int line, std::string_view words) {
  for (auto* find : {ArrayAssigned, ArrayStored, ArrayFromNumber, ArrayCalled, PartInCapitals, CommaInLoop}) {
    if (auto mistake = find(tokens, line, words)) return mistake;
  }
  return std::nullopt;
}

}  // namespace warplings
