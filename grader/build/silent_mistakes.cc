// SPDX-License-Identifier: Apache-2.0
#include "grader/build/silent_mistakes.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/host_tokens.h"
#include "grader/build/variable_calls.h"
#include "grader/messages/host_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// "1" to "126" as a number is written in everyday life. Who writes 0x7f, 127 or 255 thinks of bytes.
int SmallNumber(const std::string& text) {
  constexpr std::size_t kDigits = 3;
  constexpr int kAllBitsButOne = 127;
  const bool is_number = !text.empty() && text.size() <= kDigits && text.front() != '0' &&
                         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  const int number = is_number ? std::stoi(text) : 0;
  return number < kAllBitsButOne ? number : 0;
}

/// "0x01010101": what each element of that many bytes becomes.
std::string RepeatedByte(int value, int bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (int i = 0; i < bytes; ++i) {
    text += kDigits[value / 16];
    text += kDigits[value % 16];
  }
  return text;
}

void AddByteFill(const HostCode& code, std::size_t at, std::vector<SilentMistake>& found) {
  const std::vector<std::string> arguments = ArgumentsOf(code, at);
  if (arguments.size() < 3 || !IsPlainName(arguments[0])) return;
  const int value = SmallNumber(arguments[1]), bytes = ElementBytes(code, arguments[0]);
  if (value == 0 || bytes < 2) return;
  found.push_back({code.LineOf(at),
                   say::memset_sets_bytes(code.At(at), value, arguments[0], RepeatedByte(value, bytes)),
                   say::set_elements_otherwise()});
}

/// The text between the brackets of the variable's only dimension: "25"; empty if it has none, or more.
std::string OnlyDimension(const Tokens& tokens, const std::string& variable) {
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != variable || tokens[at + 1].text != "[" || !IsNumberType(tokens[at - 1].text))
      continue;
    if (IsOneOf(tokens[at - 1].text, {"char", "bool", "int8_t", "uint8_t"})) return "";
    const std::size_t behind = BehindBracket(tokens, at + 1);
    return IsAt(tokens, behind, "[") ? "" : TextOf(tokens, at + 2, behind - 1);
  }
  return "";
}

void AddShortCopy(const HostCode& code, const Tokens& tokens, std::size_t at,
                  const std::set<std::string>& variables, std::vector<SilentMistake>& found) {
  const std::vector<std::string> arguments = ArgumentsOf(code, at);
  const bool is_to = code.At(at).starts_with("cudaMemcpyToSymbol");
  if (arguments.size() < 3) return;
  const std::string& variable = arguments[is_to ? 0 : 1];
  if (!variables.contains(variable)) return;
  const std::string dimension = OnlyDimension(tokens, variable);
  if (dimension.size() < 2 || TokensOf(dimension).size() != 1 || arguments[2] != dimension) return;
  found.push_back({code.LineOf(at), say::copies_as_many_bytes_as_elements(code.At(at), dimension, variable),
                   say::multiply_by_element_size(dimension, variable)});
}

/// Whether a variable of the host has this name in the function.
bool IsDeclaredIn(const Tokens& tokens, std::size_t function, std::size_t end, const std::string& name) {
  for (std::size_t at = function + 1; at < end; ++at) {
    if (tokens[at].text != name) continue;
    const std::string& before = tokens[at - 1].text;
    if (IsNumberType(before) || IsOneOf(before, {">", "auto"})) return true;
    // `const Parts& name`, and no `f(&name)`.
    if (IsOneOf(before, {"*", "&"}) && at >= 2 && IsName(tokens[at - 2].text)) return true;
  }
  return false;
}

void AddHostStore(const HostCode& code, const Tokens& tokens, std::size_t at,
                  std::vector<SilentMistake>& found) {
  if (at == 0 || IsOneOf(tokens[at - 1].text, {".", "->", "::", "&"})) return;
  const std::size_t behind = BehindSubscripts(tokens, at + 1);
  if (behind >= tokens.size()) return;
  const bool is_store = tokens[behind].text == "=" || IsCompoundAssignment(tokens[behind].text) ||
                        IsOneOf(tokens[behind].text, {"++", "--"});
  const auto function = is_store ? EnclosingFunction(tokens, at) : std::nullopt;
  const std::string& name = tokens[at].text;
  // Host code that is compiled for the device, too, may mean either.
  if (!function || code.IsOfDevice(*function) || IsDeclaredIn(tokens, *function, at, name)) return;
  if (std::ranges::any_of(found, [&](const SilentMistake& each) { return each.line == tokens[at].line; }))
    return;
  found.push_back({tokens[at].line, say::host_stores_to_variable(name), say::copy_to_variable(name)});
}

}  // namespace

std::vector<SilentMistake> FindSilentMistakes(std::string_view source) {
  if (source.size() > kLongestSource) return {};
  const Tokens tokens = TokensOf(WithoutComments(source));
  const HostCode code(source);
  const std::set<std::string> variables = DeviceVariables(tokens);
  std::vector<SilentMistake> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    const bool is_call = tokens[at + 1].text == "(";
    if (is_call && IsOneOf(text, {"cudaMemset", "cudaMemsetAsync"})) AddByteFill(code, at, found);
    if (is_call && IsOneOf(text, {"cudaMemcpyToSymbol", "cudaMemcpyFromSymbol"}))
      AddShortCopy(code, tokens, at, variables, found);
    if (variables.contains(text)) AddHostStore(code, tokens, at, found);
  }
  return found;
}

}  // namespace warplings
