// SPDX-License-Identifier: Apache-2.0
#include "grader/build/declaration_mistakes.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// A declaration by its looks: a type comes before the name.
bool IsDeclaration(const Code& tokens, std::size_t at) {
  return at > 0 && at + 1 < tokens.size() &&
         IsOneOf(tokens[at + 1].text, {"=", ";", ",", "[", "{", "(", ")"}) &&
         (IsOneOf(tokens[at - 1].text, {"*", "&", ">"}) ||
          (IsName(tokens[at - 1].text) && !IsOneOf(tokens[at - 1].text, {"return", "else", "do"})));
}

/// `int i = 0; int i = 1;`: the compiler names the second.
std::optional<KnownMistake> DeclaredTwice(const Code& tokens, int line, std::string_view words) {
  constexpr std::string_view kTwice = "\" has already been declared in the current scope";
  if (!words.starts_with('"') || !words.ends_with(kTwice)) return std::nullopt;
  const std::string name(words.substr(1, words.size() - kTwice.size() - 1));
  std::vector<std::size_t> declared;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
    if (tokens[i].text == name && IsDeclaration(tokens, i)) declared.push_back(i);
  }
  if (declared.size() < 2 || tokens[declared.back()].line != line) return std::nullopt;
  const std::size_t first = declared[declared.size() - 2];
  return KnownMistake{say::in_line(line, say::declared_again(name, say::Line(tokens[first].line))),
                      say::drop_type_or_rename()};
}

/// `__shared__ float sum = 0;`
std::optional<KnownMistake> SharedWithValue(const Code& tokens, int line, std::string_view words) {
  if (!words.starts_with("initializer not allowed for __shared__ variable")) return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || !IsName(tokens[i].text) || !IsOneOf(tokens[i + 1].text, {"=", "[", "{"}))
      continue;
    const bool is_array = tokens[i + 1].text == "[";
    return KnownMistake{
        say::in_line(line, say::shared_with_value(tokens[i].text)),
        is_array ? say::store_shared_elements(tokens[i].text) : say::store_shared_value(tokens[i].text)};
  }
  return std::nullopt;
}

/// A body where the compiler wants a statement's end: `__global__ void k(float* p) {` within a function.
std::optional<KnownMistake> FunctionInFunction(const Code& tokens, int line, std::string_view words) {
  if (words != "expected a \";\"") return std::nullopt;
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    const bool is_definition = tokens[i].line == line && tokens[i + 1].text == "(" &&
                               IsName(tokens[i].text) && IsName(tokens[i - 1].text) &&
                               tokens[i - 1].text != "return" &&
                               IsAt(tokens, BehindParentheses(tokens, i + 1), "{");
    const auto around = is_definition ? EnclosingFunction(tokens, i) : std::nullopt;
    if (!around || IsOneOf(tokens[i].text, {"if", "for", "while", "switch"})) continue;
    const std::string& outer = tokens[*around].text;
    return KnownMistake{say::in_line(line, say::function_in_function(tokens[i].text, outer)),
                        say::move_function_out(tokens[i].text, outer)};
  }
  return std::nullopt;
}

/// Whether a launch has the name among its values.
bool IsInLaunch(const Code& tokens, const std::string& name) {
  bool is_inside = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == "<<" && tokens[i + 1].text == "<") is_inside = true;
    if (tokens[i].text == ">>" || tokens[i].text == ";") is_inside = false;
    if (is_inside && tokens[i].text == name) return true;
  }
  return false;
}

/// `const int grid(columns, rows);`
std::optional<KnownMistake> GridOfOneNumber(const Code& tokens, int line, std::string_view words) {
  if (words != "too many initializer values") return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || !IsOneOf(tokens[i + 1].text, {"(", "{"}) || !IsName(tokens[i].text))
      continue;
    if (!IsNumberType(tokens[i - 1].text) || !IsInLaunch(tokens, tokens[i].text)) continue;
    return KnownMistake{say::in_line(line, say::grid_of_one_number(tokens[i].text, tokens[i - 1].text)),
                        say::write_dim3(tokens[i].text)};
  }
  return std::nullopt;
}

/// `__global__ scale(float* x) {`
std::optional<KnownMistake> KernelWithoutVoid(const Code& tokens, int line, std::string_view words) {
  if (!words.starts_with("explicit type is missing")) return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i - 1].text != "__global__" || !IsName(tokens[i].text) ||
        tokens[i + 1].text != "(" || tokens[i].text == "__launch_bounds__")
      continue;
    return KnownMistake{say::in_line(line, say::kernel_without_type(tokens[i].text)),
                        say::write_void_before(tokens[i].text)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<KnownMistake> FindDeclarationMistake(const Code& tokens, int line, std::string_view words) {
  if (auto mistake = DeclaredTwice(tokens, line, words)) return mistake;
  if (auto mistake = SharedWithValue(tokens, line, words)) return mistake;
  if (auto mistake = GridOfOneNumber(tokens, line, words)) return mistake;
  if (auto mistake = KernelWithoutVoid(tokens, line, words)) return mistake;
  return FunctionInFunction(tokens, line, words);
}

}  // namespace warplings
