// SPDX-License-Identifier: Apache-2.0
#include "grader/build/argument_names.h"

#include <algorithm>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

/// "scale" of "void n::scale<float>(float *)".
std::string PlainKernelName(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find_first_of("<("));
  return std::string(kernel.substr(kernel.find_last_of(": ") + 1));
}

/// The names of the parameters in the list that begins at `open`. A parameter's name is the last one in front
/// of its array brackets or default value.
std::vector<std::string> NamesInList(const std::vector<CodeToken>& tokens, std::size_t open) {
  std::vector<std::string> names(1);
  int depth = 0;
  bool has_name = false;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    depth += IsOneOf(text, {"(", "<", "["}) ? 1 : IsOneOf(text, {")", ">", "]"}) ? -1 : text == ">>" ? -2 : 0;
    if (depth == 0) return names;
    if (depth == 1 && text == ",") {
      names.emplace_back();
      has_name = false;
    } else if (IsOneOf(text, {"=", "["})) {
      has_name = true;
    } else if (depth == 1 && !has_name && IsName(text)) {
      names.back() = text;
    }
  }
  return {};
}

/// The parameters of the kernel, in their order; none where the source does not have it.
std::vector<std::string> ParametersOf(std::string_view source, std::string_view kernel) {
  const std::string name = PlainKernelName(kernel);
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  bool is_kernel = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (IsOneOf(tokens[i].text, {";", "{", "}"})) is_kernel = false;
    if (tokens[i].text == "__global__") is_kernel = true;
    if (is_kernel && tokens[i].text == name && tokens[i + 1].text == "(") return NamesInList(tokens, i + 1);
  }
  return {};
}

std::string_view LineOf(std::string_view source, int line) {
  for (; line > 1 && !source.empty(); --line) {
    const std::size_t end = source.find('\n');
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
  }
  return source.substr(0, source.find('\n'));
}

/// The array that the line stores to: "out" of "out[i] = a[i];". "" where it stores to none, or to several.
std::string StoredArray(std::string_view line) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(line));
  std::string stored;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!IsName(tokens[i].text) || tokens[i + 1].text != "[") continue;
    std::size_t end = i + 1;
    for (int depth = 0; end < tokens.size(); ++end) {
      depth += tokens[end].text == "[" ? 1 : tokens[end].text == "]" ? -1 : 0;
      if (depth == 0) break;
    }
    if (end + 1 >= tokens.size()) continue;
    if (tokens[end + 1].text != "=" && !IsCompoundAssignment(tokens[end + 1].text)) continue;
    if (!stored.empty()) return "";
    stored = tokens[i].text;
  }
  return stored;
}

/// An allocation may be passed as several parameters, or a parameter point into it: a store goes by the one
/// that its line names.
std::string NameOfArgument(const Finding& finding, std::string_view source, std::size_t number) {
  std::string name = ParameterName(source, finding.kernel, number);
  if (name.empty() || finding.access != Access::kWrite) return name;
  std::string stored = StoredArray(LineOf(source, finding.where.line));
  const std::vector<std::string> names = ParametersOf(source, finding.kernel);
  return std::ranges::count(names, stored) > 0 && !stored.empty() ? stored : name;
}

void NameArgumentsIn(Message& message, const Finding& finding, std::string_view source) {
  if (say::argument.Made(message) && message.arguments().size() == 1) {
    const auto number = static_cast<std::size_t>(message.arguments().front().number);
    if (std::string name = NameOfArgument(finding, source, number); !name.empty())
      message = say::name_in_code(name);
    return;
  }
  if (say::argument_outside_memory.Made(message)) {
    const auto number = static_cast<std::size_t>(message.arguments().at(2).number);
    if (std::string name = ParameterName(source, finding.kernel, number); !name.empty()) {
      std::vector<Argument> arguments = message.arguments();
      message = say::parameter_outside_memory(arguments[0].inner.at(0), say::Count(0, ""), std::move(name));
      message.arguments()[1] = std::move(arguments[1]);
    }
    return;
  }
  for (Argument& argument : message.arguments()) {
    for (Message& inner : argument.inner) NameArgumentsIn(inner, finding, source);
  }
}

}  // namespace

std::string ParameterName(std::string_view source, std::string_view kernel, std::size_t number) {
  const std::vector<std::string> names = ParametersOf(source, kernel);
  return number >= 1 && number <= names.size() ? names[number - 1] : "";
}

void NameArguments(Finding& finding, std::string_view source) {
  NameArgumentsIn(finding.message, finding, source);
  NameArgumentsIn(finding.object, finding, source);
}

}  // namespace warplings
