// SPDX-License-Identifier: Apache-2.0
#include "grader/build/calls.h"

#include <algorithm>
#include <iterator>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

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
    {"cudaGetDeviceCount", 1, 1, "&count"},
    {"cudaGetDevice", 1, 1, "&device"},
    {"cudaGetDeviceProperties", 2, 2, "&properties, device"},
    {"cudaDeviceGetAttribute", 3, 3, "&value, attribute, device"},
    {"cudaMemGetInfo", 2, 2, "&free, &total"},
    {"cudaStreamCreate", 1, 1, "&stream"},
    {"cudaEventCreate", 1, 2, "&event, flags"},
    {"cudaEventElapsedTime", 3, 3, "&milliseconds, start, end"},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 4, 4, "&blocks, kernel, threads, bytes"},
    {"atomicAdd", 2, 2, "address, value"},
    {"atomicMax", 2, 2, "address, value"},
    {"atomicMin", 2, 2, "address, value"},
    {"atomicCAS", 3, 3, "address, compare, value"},
    {"atomicInc", 2, 2, "address, limit"},
    {"atomicDec", 2, 2, "address, limit"},
    {"__shfl_sync", 3, 4, "mask, value, lane"},
    {"__shfl_down_sync", 3, 4, "mask, value, distance"},
    {"__shfl_up_sync", 3, 4, "mask, value, distance"},
    {"__shfl_xor_sync", 3, 4, "mask, value, lane mask"}};

/// The names in "&pointer, bytes", without types.
ParameterList ListOf(const CudaFunction& function) {
  ParameterList list{.fewest = function.fewest, .parameters = {}};
  for (std::string_view rest = function.names; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    list.parameters.push_back({std::string(rest.substr(0, comma)), {}});
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return list;
}

/// The parts between the parentheses that open at `open`, each as [first token, end).
std::vector<std::pair<std::size_t, std::size_t>> ArgumentRanges(const Code& tokens, std::size_t open) {
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

/// `void f(...) {`: the name at `at` and the parenthesis behind it belong to a declaration.
bool IsDeclarationOfFunction(const Code& tokens, std::size_t at) {
  if (at == 0) return false;
  const std::string& before = tokens[at - 1].text;
  const std::size_t behind = BehindParentheses(tokens, at + 1);
  const bool is_type = (IsName(before) && !IsOneOf(before, {"return", "else", "do", "throw", "case"})) ||
                       IsOneOf(before, {"*", "&", ">"});
  return is_type && behind < tokens.size() && IsOneOf(tokens[behind].text, {"{", ";"});
}

/// Nothing if it is not declared in the file, or more than once with other parameters.
std::optional<ParameterList> ParameterListOf(const Code& tokens, const std::string& name) {
  std::optional<ParameterList> found;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i + 1].text != "(") continue;
    if (!IsDeclarationOfFunction(tokens, i)) continue;
    const auto one = ParametersAt(tokens, i + 1);
    if (!one) continue;
    if (found && found->parameters.size() != one->parameters.size()) return std::nullopt;
    found = one;
  }
  if (found) return found;
  const auto* const known = std::ranges::find(kCudaFunctions, name, &CudaFunction::name);
  if (known == std::end(kCudaFunctions)) return std::nullopt;
  return ListOf(*known);
}

/// The >>> of a launch, before its arguments.
bool EndsLaunch(const Code& tokens, std::size_t at) {
  return tokens[at].text == ">>" && IsAt(tokens, at + 1, ">") && IsAt(tokens, at + 2, "(");
}

/// The parenthesis of the arguments of what is called or launched at `at`: `f(`, `k<<<1, 1>>>(`, `k<16><<<1,
/// 1>>>(`.
std::optional<std::size_t> OpeningOfArguments(const Code& tokens, std::size_t at) {
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

/// Where the words of the type begin that ends before `end`.
std::size_t BeginOfType(const Code& tokens, std::size_t end) {
  constexpr std::size_t kLongest = 12;  // Tokens of a type.
  std::size_t begin = end;
  while (begin > 0 && end - begin < kLongest &&
         (IsName(tokens[begin - 1].text) || IsOneOf(tokens[begin - 1].text, {"*", "&"})) &&
         !IsOneOf(tokens[begin - 1].text, {"return", "else", "do", "case", "goto", "new", "delete"}))
    --begin;
  return begin;
}

}  // namespace

PlainType TypeOf(const Code& tokens, std::size_t begin, std::size_t end) {
  PlainType type;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string& text = tokens[i].text;
    if (text == "*") {
      ++type.stars;
    } else if (text == "**") {
      type.stars += 2;
    } else if (IsOneOf(text, {"const", "constexpr"})) {
      type.is_const = type.is_const || type.stars == 0;
    } else if (IsName(text) && !IsOneOf(text, {"__restrict__", "restrict", "static", "extern", "volatile",
                                               "__shared__", "__device__", "__constant__"})) {
      type.base += (type.base.empty() ? "" : " ") + text;
    }
  }
  if (type.base == "unsigned") type.base = "unsigned int";
  return type;
}

PlainType TypeOf(std::string_view words) {
  const Code tokens = TokensOf(words);
  return TypeOf(tokens, 0, tokens.size());
}

std::string WrittenType(const PlainType& type) {
  return (type.is_const ? "const " : "") + type.base + std::string(static_cast<std::size_t>(type.stars), '*');
}

std::optional<PlainType> DeclaredType(const Code& tokens, const std::string& name, std::size_t before) {
  for (std::size_t at = std::min(before, tokens.size()); at-- > 1;) {
    if (tokens[at].text != name || at + 1 >= tokens.size()) continue;
    if (!IsOneOf(tokens[at + 1].text, {",", ")", "=", ";", "[", "{", "("})) continue;
    const std::size_t begin = BeginOfType(tokens, at);
    // `a * b;` is a product, and `float* a, * b` has its type elsewhere.
    if (begin == at || !IsName(tokens[begin].text)) continue;
    if (begin > 0 && !IsOneOf(tokens[begin - 1].text, {"(", ",", ";", "{", "}", ">", ")"})) continue;
    PlainType type = TypeOf(tokens, begin, at);
    // `f(a * b)`: only of a number's type it is surely no product.
    const bool is_type =
        IsNumberType(tokens[begin].text) || IsOneOf(tokens[begin].text, {"const", "constexpr", "static"});
    if (!is_type && IsOneOf(tokens[at - 1].text, {"*", "&"})) continue;
    if (tokens[at + 1].text == "[") ++type.stars;
    return type;
  }
  return std::nullopt;
}

std::string ParameterList::Names() const {
  std::string names;
  for (const Parameter& each : parameters) names += (names.empty() ? "" : ", ") + each.name;
  return names;
}

std::optional<ParameterList> ParametersAt(const Code& tokens, std::size_t open) {
  ParameterList found;
  for (const auto& [first, end] : ArgumentRanges(tokens, open)) {
    std::size_t last = first;
    while (last < end && !IsOneOf(tokens[last].text, {"=", "["})) ++last;
    // A type and a name, at least.
    if (last < first + 2 || !IsName(tokens[last - 1].text)) return std::nullopt;
    PlainType type = TypeOf(tokens, first, last - 1);
    if (IsAt(tokens, last, "[")) ++type.stars;
    found.parameters.push_back({tokens[last - 1].text, std::move(type)});
    if (!IsAt(tokens, last, "=")) found.fewest = found.parameters.size();
  }
  return found;
}

namespace {

/// The call or launch of the name at `at`; nothing where the name is declared, or its parameters are not
/// known.
std::optional<WrittenCall> CallAt(const Code& tokens, std::size_t at) {
  if (!IsName(tokens[at].text)) return std::nullopt;
  const auto open = OpeningOfArguments(tokens, at);
  auto takes = open ? ParameterListOf(tokens, tokens[at].text) : std::nullopt;
  const bool is_call = takes && !(*open == at + 1 && IsDeclarationOfFunction(tokens, at) &&
                                  ParametersAt(tokens, *open).has_value());
  if (!is_call) return std::nullopt;
  return WrittenCall{tokens[at].text, *open > at + 1, *open, ArgumentRanges(tokens, *open),
                     std::move(*takes)};
}

}  // namespace

std::vector<WrittenCall> CallsIn(const Code& tokens, int line) {
  std::vector<WrittenCall> calls;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].line != line) continue;
    if (auto call = CallAt(tokens, i)) calls.push_back(std::move(*call));
  }
  return calls;
}

namespace {

/// Three arguments or more of one type that are the names of one another's parameters, and no others.
std::optional<ExchangedArguments> RotatedArguments(const Code& tokens, const WrittenCall& call) {
  const std::vector<Parameter>& takes = call.takes.parameters;
  ExchangedArguments found;
  std::vector<std::string> passed, taken;
  std::optional<PlainType> type;
  for (std::size_t i = 0; i < std::min(takes.size(), call.arguments.size()); ++i) {
    const auto [begin, end] = call.arguments[i];
    const std::string name = end == begin + 1 ? tokens[begin].text : "";
    const bool is_other = name != takes[i].name && std::ranges::any_of(takes, [&](const Parameter& each) {
                            return each.name == name && each.type == takes[i].type;
                          });
    if (!is_other) continue;
    if (type && *type != takes[i].type) return std::nullopt;
    type = takes[i].type;
    passed.push_back(name);
    taken.push_back(takes[i].name);
    found.passed += (found.passed.empty() ? "" : ", ") + name;
    found.taken += (found.taken.empty() ? "" : ", ") + takes[i].name;
  }
  if (passed.size() < 3 || !std::ranges::is_permutation(passed, taken)) return std::nullopt;
  found.function = call.name;
  return found;
}

}  // namespace

std::optional<ExchangedArguments> FindExchangedArguments(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Code tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const auto call = CallAt(tokens, at);
    if (!call) continue;
    const std::vector<Parameter>& takes = call->takes.parameters;
    std::vector<ExchangedArguments> found;
    const auto is_name = [&](std::size_t argument, const std::string& name) {
      const auto [begin, end] = call->arguments[argument];
      return end == begin + 1 && tokens[begin].text == name;
    };
    const std::size_t count = std::min(takes.size(), call->arguments.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const bool is_one = is_name(i, takes[j].name) && is_name(j, takes[i].name) &&
                            takes[i].type == takes[j].type && !takes[i].type.base.empty();
        if (is_one) found.push_back({call->name, takes[j].name, takes[i].name, tokens[at].line, "", ""});
      }
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) {
      if (auto rotated = RotatedArguments(tokens, *call)) {
        rotated->line = tokens[at].line;
        return rotated;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> EnclosingFunction(const Code& tokens, std::size_t at) {
  int depth = 0;
  std::optional<std::size_t> found;
  for (std::size_t i = std::min(at, tokens.size()); i-- > 1;) {
    const std::string& text = tokens[i].text;
    depth += text == "}" ? 1 : text == "{" ? -1 : 0;
    if (depth >= 0) continue;
    depth = 0;
    if (tokens[i - 1].text != ")") continue;
    const std::size_t open = OpeningOf(tokens, i - 1);
    // The outermost: a lambda is a part of its function.
    if (open > 0 && IsName(tokens[open - 1].text) &&
        !IsOneOf(tokens[open - 1].text, {"if", "for", "while", "switch", "catch"}))
      found = open - 1;
  }
  return found;
}

}  // namespace warplings
