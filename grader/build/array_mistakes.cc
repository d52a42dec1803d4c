// SPDX-License-Identifier: Apache-2.0
#include "grader/build/array_mistakes.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// Behind the bracket that closes the one at `open`.
std::size_t BehindBrackets(const Code& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i].text == "[" ? 1 : tokens[i].text == "]" ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

/// `const float* __restrict__ M`, and not `2 * M`.
bool IsDeclaredAsPointer(const Code& tokens, std::size_t at) {
  while (at > 0 && IsOneOf(tokens[at - 1].text, {"__restrict__", "const"})) --at;
  return at >= 2 && tokens[at - 1].text == "*" &&
         IsOneOf(tokens[at - 2].text, {"float", "double", "int", "const"});
}

/// How many dimensions the declarations of `name` give it; 0: none was found, or they differ.
int DimensionsOf(const Code& tokens, const std::string& name) {
  int dimensions = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != name) continue;
    int here = 0;
    if (IsDeclaredAsPointer(tokens, i)) here = IsAt(tokens, i + 1, "[") ? 2 : 1;
    if (IsNumberType(tokens[i - 1].text) && IsAt(tokens, i + 1, "["))
      here = IsAt(tokens, BehindBrackets(tokens, i + 1), "[") ? 2 : 1;
    if (here == 0) continue;
    if (dimensions != 0 && dimensions != here) return 0;
    dimensions = here;
  }
  return dimensions;
}

/// `__shared__ float tile[WIDTH];` or `float row[4];`: an array whose second dimension can be written, and
/// whose first one is no product that stands for two.
struct FlatArray {
  int line = 0;
  std::string size;
};
std::optional<FlatArray> OnlyFlatArray(const Code& tokens, const std::string& name) {
  std::optional<FlatArray> found;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != name || !IsNumberType(tokens[i - 1].text) || !IsAt(tokens, i + 1, "[")) continue;
    const std::size_t behind = BehindBrackets(tokens, i + 1);
    const std::string size = TextOf(tokens, i + 2, behind - 1);
    const bool is_declared = behind < tokens.size() && IsOneOf(tokens[behind].text, {";", ",", "="});
    if (found || !is_declared || size.empty() || size.find('*') != size.npos) return std::nullopt;
    found = FlatArray{tokens[i].line, size};
  }
  return found;
}

std::optional<KnownMistake> TooManySubscripts(const Code& tokens, int line, std::string_view words) {
  if (!words.starts_with("expression must have pointer-to-object type but it has type")) return std::nullopt;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "[" || !IsName(tokens[i - 1].text)) continue;
    const std::string& name = tokens[i - 1].text;
    if (!IsAt(tokens, BehindBrackets(tokens, i), "[") || DimensionsOf(tokens, name) != 1) continue;
    const auto flat = OnlyFlatArray(tokens, name);
    const std::size_t row_end = BehindBrackets(tokens, i), column_end = BehindBrackets(tokens, row_end);
    return KnownMistake{say::in_line(line, say::more_subscripts_than_dimensions(name)),
                        flat ? say::declare_second_dimension(say::Line(flat->line), name, flat->size)
                             : say::write_one_subscript(name, AsFactor(TextOf(tokens, i + 1, row_end - 1)),
                                                        TextOf(tokens, row_end + 1, column_end - 1))};
  }
  return std::nullopt;
}

/// How the last declaration before a token makes the name one number: "float"; empty if it does not.
struct NumberDeclaration {
  std::string type{};
  int line = 0;
  bool is_dynamic = false;    ///< `extern __shared__ int tile;`
  bool is_parameter = false;  ///< `void k(float P, int n)`
};
NumberDeclaration LastAsNumber(const Code& tokens, const std::string& name, std::size_t before) {
  for (std::size_t i = before; i-- > 1;) {
    if (tokens[i].text != name) continue;
    if (IsOneOf(tokens[i - 1].text, {"*", "&"}) && i >= 2 && IsNumberType(tokens[i - 2].text)) return {};
    std::size_t begin = i;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}", "(", ")"})) --begin;
    std::size_t type = i;
    while (type > begin && IsNumberType(tokens[type - 1].text)) --type;
    std::size_t end = i;
    if (type == i) {  // `float a = 0, sum`
      type = begin;
      while (type < i && IsOneOf(tokens[type].text, {"const", "static", "volatile"})) ++type;
      end = type;
      while (end < i && IsNumberType(tokens[end].text)) ++end;
      if (tokens[i - 1].text != "," || end == type) continue;
    }
    const std::string& next = i + 1 < tokens.size() ? tokens[i + 1].text : tokens[i].text;
    if (!IsOneOf(next, {";", "=", ",", "{", ")"})) return {};
    NumberDeclaration found{TextOf(tokens, type, end), tokens[i].line};
    found.is_dynamic = IsOneOf(tokens[begin].text, {"extern"});
    found.is_parameter = begin > 0 && tokens[begin - 1].text == "(" && next != "=" && next != ";";
    return found;
  }
  return {};
}

/// `sum[c]` where sum is one float.
std::optional<KnownMistake> SubscriptOfNumber(const Code& tokens, int line, std::string_view words) {
  if (!words.starts_with("expression must have pointer-to-object type but it has type")) return std::nullopt;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "[" || !IsName(tokens[i - 1].text)) continue;
    const std::string& name = tokens[i - 1].text;
    const bool is_member = i >= 2 && IsOneOf(tokens[i - 2].text, {".", "->", "::"});
    const NumberDeclaration declared = LastAsNumber(tokens, name, i - 1);
    if (is_member || declared.type.empty()) continue;
    const say::Line there(declared.line);
    if (declared.is_dynamic)
      return KnownMistake{say::in_line(line, say::dynamic_array_without_brackets(name, there)),
                          say::write_empty_brackets(there, declared.type, name)};
    return KnownMistake{say::in_line(line, say::number_with_subscript(name, declared.type, there)),
                        declared.is_parameter
                            ? say::declare_pointer_or_drop_subscript(declared.type, name, there)
                            : say::declare_array_or_drop_subscript(declared.type, name, there)};
  }
  return std::nullopt;
}

/// `blockIdx * blockDim.x`
std::optional<KnownMistake> IndexWithoutPart(const Code& tokens, int line, std::string_view words) {
  if (words.find("uint3") == words.npos && words.find("dim3") == words.npos) return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const std::string& name = tokens[i].text;
    if (tokens[i].line != line || !IsOneOf(name, {"threadIdx", "blockIdx", "blockDim", "gridDim"})) continue;
    const auto is_operator = [](const std::string& text) {
      return IsOneOf(text, {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "="}) ||
             IsCompoundAssignment(text);
    };
    const std::string &before = tokens[i - 1].text, &behind = tokens[i + 1].text;
    if (behind == "." || !(is_operator(before) || is_operator(behind) || (before == "[" && behind == "]")))
      continue;
    return KnownMistake{say::in_line(line, say::index_without_part(name)), say::write_part_of_index(name)};
  }
  return std::nullopt;
}

/// ptxas says: Entry function 'k(float*)' uses too much shared data (0x28000 bytes, 0xc000 max)
std::optional<KnownMistake> TooMuchSharedMemory(const Code& tokens, std::string_view words) {
  constexpr std::string_view kKernel = "Entry function '", kUses = "' uses too much shared data (0x";
  const std::size_t name = words.find(kKernel), uses = words.find(kUses);
  if (name == words.npos || uses == words.npos) return std::nullopt;
  const std::string kernel = PlainName(words.substr(name + kKernel.size(), uses - name - kKernel.size()));
  const std::string_view number = words.substr(uses + kUses.size());
  std::uint64_t bytes = 0;
  constexpr int kHexadecimal = 16;
  const auto [end, fault] =
      std::from_chars(number.data(), number.data() + number.size(), bytes, kHexadecimal);
  const auto definition = DefinitionOf(tokens, kernel);
  if (fault != std::errc() || !definition) return std::nullopt;
  return KnownMistake{
      say::in_line(definition->line, say::declares_too_much_shared(kernel, say::Count(bytes, "byte"))),
      say::make_shared_arrays_smaller()};
}

}  // namespace

std::optional<KnownMistake> FindArrayMistake(const Code& tokens, int line, std::string_view words) {
  if (auto mistake = TooManySubscripts(tokens, line, words)) return mistake;
  if (auto mistake = SubscriptOfNumber(tokens, line, words)) return mistake;
  if (auto mistake = IndexWithoutPart(tokens, line, words)) return mistake;
  return TooMuchSharedMemory(tokens, words);
}

}  // namespace warplings
