// SPDX-License-Identifier: Apache-2.0
#include "grader/build/call_mistakes.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

struct Parameters {
  std::size_t fewest = 0, most = 0;
  std::string names;  ///< "M, P, width"
};

struct CudaFunction {
  std::string_view name;
  std::size_t fewest, most;
  std::string_view names;
};
constexpr CudaFunction kCudaFunctions[] = {
    {"cudaMalloc", 2, 2, "&pointer, bytes"},
    {"cudaFree", 1, 1, "pointer"},
    {"cudaMemcpy", 4, 4, "destination, source, bytes, kind"},
    {"cudaMemcpyAsync", 4, 5, "destination, source, bytes, kind, stream"},
    {"cudaMemset", 3, 3, "pointer, value, bytes"},
    {"cudaMemcpyToSymbol", 3, 5, "symbol, source, bytes, offset, kind"},
    {"cudaGetErrorString", 1, 1, "error"},
    {"atomicAdd", 2, 2, "address, value"},
    {"atomicMax", 2, 2, "address, value"},
    {"atomicMin", 2, 2, "address, value"},
    {"atomicCAS", 3, 3, "address, compare, value"},
    {"__shfl_sync", 3, 4, "mask, value, lane"},
    {"__shfl_down_sync", 3, 4, "mask, value, distance"},
    {"__shfl_up_sync", 3, 4, "mask, value, distance"},
    {"__shfl_xor_sync", 3, 4, "mask, value, lane mask"}};

/// The parts between the parentheses that open at `open`, each as [first token, end).
std::vector<std::pair<std::size_t, std::size_t>> PartsOf(const Code& tokens, std::size_t open) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  const std::size_t close = BehindParentheses(tokens, open) - 1;
  std::size_t first = open + 1;
  int depth = 0;
  for (std::size_t i = open + 1; i <= close && close < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (i == close || (text == "," && depth == 0)) {
      if (i > first) parts.emplace_back(first, i);
      first = i + 1;
    } else {
      depth += IsOneOf(text, {"(", "[", "{"}) ? 1 : IsOneOf(text, {")", "]", "}"}) ? -1 : 0;
    }
  }
  return parts;
}

/// Of the function that the parentheses at `open` declare; nothing if that is no list of parameters.
std::optional<Parameters> ParametersAt(const Code& tokens, std::size_t open) {
  Parameters found;
  for (const auto& [first, end] : PartsOf(tokens, open)) {
    std::size_t last = first;
    while (last < end && !IsOneOf(tokens[last].text, {"=", "["})) ++last;
    // A type and a name, at least.
    if (last < first + 2 || !IsName(tokens[last - 1].text)) return std::nullopt;
    found.names += (found.names.empty() ? "" : ", ") + tokens[last - 1].text;
    ++found.most;
    if (!IsAt(tokens, last, "=")) found.fewest = found.most;
  }
  return found;
}

/// Nothing if it is not declared in the file, or more than once with other parameters.
std::optional<Parameters> ParameterListOf(const Code& tokens, const std::string& name) {
  std::optional<Parameters> found;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i + 1].text != "(") continue;
    const std::string& before = tokens[i - 1].text;
    const std::size_t behind = BehindParentheses(tokens, i + 1);
    const bool is_declared = behind < tokens.size() && IsOneOf(tokens[behind].text, {"{", ";"}) &&
                             ((IsName(before) && before != "return") || IsOneOf(before, {"*", "&", ">"}));
    if (!is_declared) continue;
    const auto one = ParametersAt(tokens, i + 1);
    if (!one) continue;
    if (found && found->most != one->most) return std::nullopt;
    found = one;
  }
  if (found) return found;
  const auto* const known = std::ranges::find(kCudaFunctions, name, &CudaFunction::name);
  if (known == std::end(kCudaFunctions)) return std::nullopt;
  return Parameters{known->fewest, known->most, std::string(known->names)};
}

/// The >>> of a launch, before its arguments.
bool EndsLaunch(const Code& tokens, std::size_t at) {
  return tokens[at].text == ">>" && IsAt(tokens, at + 1, ">") && IsAt(tokens, at + 2, "(");
}

/// The parenthesis of the arguments of what is called or launched at `at`: `f(`, `k<<<1, 1>>>(`, `k<16><<<1,
/// 1>>>(`.
std::optional<std::size_t> ArgumentsOf(const Code& tokens, std::size_t at) {
  if (IsAt(tokens, at + 1, "(")) return at + 1;
  constexpr std::size_t kLongest = 120;  // Tokens of a launch configuration.
  bool is_launch = false;
  for (std::size_t i = at + 1; i < tokens.size() && i - at < kLongest; ++i) {
    const std::string& text = tokens[i].text;
    if (i == at + 1 && !IsOneOf(text, {"<", "<<"})) return std::nullopt;
    if (EndsLaunch(tokens, i)) return is_launch ? std::optional(i + 2) : std::nullopt;
    is_launch = is_launch || text == "<<";
    if (IsOneOf(text, {";", "{", "}"})) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<KnownMistake> FindCallMistake(const Code& tokens, int line, std::string_view words) {
  const bool is_plain =
      words == "too few arguments in function call" || words == "too many arguments in function call";
  const bool is_of_several = words.starts_with("no instance of ") &&
                             words.find("matches the argument list") != std::string_view::npos;
  if (!is_plain && !is_of_several) return std::nullopt;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].line != line || !IsName(tokens[i].text)) continue;
    const std::string& name = tokens[i].text;
    if (is_of_several && words.find("\"" + name + "\"") == std::string_view::npos) continue;
    const auto open = ArgumentsOf(tokens, i);
    const auto parameters = open ? ParameterListOf(tokens, name) : std::nullopt;
    if (!parameters) continue;
    const std::size_t given = PartsOf(tokens, *open).size();
    if (given >= parameters->fewest && given <= parameters->most) continue;
    const std::size_t takes = given < parameters->fewest ? parameters->fewest : parameters->most;
    return KnownMistake{
        say::in_line(line, say::other_number_of_arguments_here(name, say::Count(takes, "argument"), given)),
        parameters->names.empty() ? say::write_no_arguments() : say::write_arguments(parameters->names)};
  }
  return std::nullopt;
}

}  // namespace warplings
