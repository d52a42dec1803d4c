// SPDX-License-Identifier: Apache-2.0
#include "grader/build/name_mistakes.h"

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

/// NAME of a message that is `before`, NAME and `behind`.
std::optional<std::string> NameBetween(std::string_view words, std::string_view before,
                                       std::string_view behind) {
  if (!words.starts_with(before) || !words.ends_with(behind)) return std::nullopt;
  if (words.size() <= before.size() + behind.size()) return std::nullopt;
  return std::string(words.substr(before.size(), words.size() - before.size() - behind.size()));
}

std::optional<std::string> UndefinedName(std::string_view words) {
  return NameBetween(words, "identifier \"", "\" is undefined");
}

/// `index = row * width + col;` without a declaration: C's library has an index(), an y1() and a div().
std::optional<KnownMistake> NameOfLibraryFunction(const Code& tokens, int line, std::string_view words) {
  auto name =
      NameBetween(words, "cannot determine which instance of overloaded function \"", "\" is intended");
  if (!name) {
    name = NameBetween(words, "no instance of overloaded function \"", "\" matches the required type");
  }
  if (!name || !IsName(*name) || DefinitionOf(tokens, *name)) return std::nullopt;
  return KnownMistake{say::in_line(line, say::variable_named_as_function(*name)),
                      say::declare_before_use(*name)};
}

/// A variable's declaration, and where the variable ends.
struct Scope {
  std::size_t declared = 0, opening = 0, end = 0;  ///< Tokens.
  bool is_loop = false, has_empty_body = false;
};

/// `int sum`, `float a, sum`: the name is the one that a statement of a number's type declares.
bool IsDeclared(const Code& tokens, std::size_t at) {
  if (at == 0 || at + 1 >= tokens.size()) return false;
  if (!IsOneOf(tokens[at + 1].text, {"=", ";", ",", "[", "{", ":"})) return false;
  const std::string& before = tokens[at - 1].text;
  if (IsNumberType(before) || before == "auto") return true;
  if (before != "," && before != "*") return false;
  constexpr std::size_t kLongest = 200;  // Tokens.
  std::size_t first = at;
  int depth = 0;
  for (; first > 0 && at - first < kLongest; --first) {
    const std::string& text = tokens[first - 1].text;
    depth += IsOneOf(text, {")", "]"}) ? 1 : IsOneOf(text, {"(", "["}) ? -1 : 0;
    if (depth < 0 || IsOneOf(text, {";", "{", "}"})) break;
  }
  while (first < at && IsOneOf(tokens[first].text, {"const", "constexpr", "static", "__shared__"})) ++first;
  return IsNumberType(tokens[first].text);
}

/// From an opening brace or parenthesis to the one that closes it.
std::size_t PartnerOf(const Code& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += IsOneOf(tokens[i].text, {"(", "{"}) ? 1 : IsOneOf(tokens[i].text, {")", "}"}) ? -1 : 0;
    if (depth == 0) return i;
  }
  return tokens.size();
}

/// The last token of the statement that begins at `at`, by its looks: a block, or up to a semicolon.
std::size_t LastOfStatement(const Code& tokens, std::size_t at) {
  for (std::size_t i = at; i < tokens.size(); ++i) {
    if (tokens[i].text == ";") return i;
    if (tokens[i].text == "{") return PartnerOf(tokens, i);
    if (tokens[i].text == "(") i = PartnerOf(tokens, i);
  }
  return tokens.size();
}

/// `opening` is the innermost bracket around the declaration.
Scope ScopeOf(const Code& tokens, std::size_t declared, std::size_t opening) {
  Scope scope{.declared = declared, .opening = opening};
  if (tokens[opening].text == "{") {
    scope.end = PartnerOf(tokens, opening);
    return scope;
  }
  const std::size_t body = PartnerOf(tokens, opening) + 1;
  scope.is_loop = true;
  scope.has_empty_body = body < tokens.size() && tokens[body].text == ";";
  scope.end = LastOfStatement(tokens, body);
  return scope;
}

/// The last declaration of `name` before `use`, in the same function.
std::optional<Scope> LastScopeBefore(const Code& tokens, const std::string& name, std::size_t use) {
  std::vector<std::size_t> open;
  std::optional<std::size_t> last, opening;
  for (std::size_t i = 0; i < use; ++i) {
    const std::string& text = tokens[i].text;
    if (open.empty() && text == "{") last.reset();
    if (IsOneOf(text, {"(", "{"})) open.push_back(i);
    if (IsOneOf(text, {")", "}"}) && !open.empty()) open.pop_back();
    if (text != name || open.empty() || !IsDeclared(tokens, i)) continue;
    const bool is_header = tokens[open.back()].text == "(";
    // Parameters of a function are no variables of a block, and a block at the outside may be a namespace.
    if (is_header ? tokens[open.back() - 1].text != "for" : open.size() < 2) continue;
    last = i;
    opening = open.back();
  }
  if (open.empty() || !last) return std::nullopt;
  return ScopeOf(tokens, *last, *opening);
}

std::optional<KnownMistake> NameOfEndedScope(const Code& tokens, int line, std::string_view words) {
  const auto name = UndefinedName(words);
  if (!name) return std::nullopt;
  const auto use = std::ranges::find_if(
      tokens, [&](const CodeToken& each) { return each.line == line && each.text == *name; });
  if (use == tokens.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(use - tokens.begin());
  const auto scope = LastScopeBefore(tokens, *name, at);
  if (!scope || scope->end >= at) return std::nullopt;
  const say::Line declared(tokens[scope->declared].line), opening(tokens[scope->opening].line);
  if (scope->has_empty_body) {
    return KnownMistake{say::in_line(opening.line, say::loop_ends_at_semicolon(*name, say::Line(line))),
                        say::remove_semicolon_of_loop(opening)};
  }
  if (scope->is_loop) {
    return KnownMistake{say::in_line(line, say::variable_of_ended_loop(*name, declared)),
                        say::brace_loop_or_declare_above(*name, declared)};
  }
  return KnownMistake{
      say::in_line(line, say::variable_of_ended_block(*name, declared, say::Line(tokens[scope->end].line))),
      say::declare_above(*name, opening)};
}

struct Header {
  std::string_view name, header;
};
/// Names that no other header brings along.
constexpr Header kHeaders[] = {{"printf", "<cstdio>"},
                               {"fprintf", "<cstdio>"},
                               {"puts", "<cstdio>"},
                               {"std::printf", "<cstdio>"},
                               {"std::fprintf", "<cstdio>"},
                               {"assert", "<cassert>"},
                               {"std::memset", "<cstring>"},
                               {"std::memcpy", "<cstring>"},
                               {"FLT_MAX", "<cfloat>"},
                               {"FLT_MIN", "<cfloat>"},
                               {"FLT_EPSILON", "<cfloat>"},
                               {"DBL_MAX", "<cfloat>"},
                               {"INT_MAX", "<climits>"},
                               {"INT_MIN", "<climits>"},
                               {"UINT_MAX", "<climits>"},
                               {"uint8_t", "<cstdint>"},
                               {"uint32_t", "<cstdint>"},
                               {"uint64_t", "<cstdint>"},
                               {"int64_t", "<cstdint>"},
                               {"uintptr_t", "<cstdint>"},
                               {"std::vector", "<vector>"},
                               {"std::string", "<string>"},
                               {"std::to_string", "<string>"},
                               {"std::cout", "<iostream>"},
                               {"std::cerr", "<iostream>"},
                               {"std::endl", "<iostream>"},
                               {"std::setw", "<iomanip>"},
                               {"std::setprecision", "<iomanip>"},
                               {"std::ifstream", "<fstream>"},
                               {"std::ofstream", "<fstream>"},
                               {"std::stringstream", "<sstream>"},
                               {"std::sort", "<algorithm>"},
                               {"std::fill", "<algorithm>"},
                               {"std::copy", "<algorithm>"},
                               {"std::generate", "<algorithm>"},
                               {"std::transform", "<algorithm>"},
                               {"std::max_element", "<algorithm>"},
                               {"std::min_element", "<algorithm>"},
                               {"std::all_of", "<algorithm>"},
                               {"std::clamp", "<algorithm>"},
                               {"std::reverse", "<algorithm>"},
                               {"std::accumulate", "<numeric>"},
                               {"std::iota", "<numeric>"},
                               {"std::inner_product", "<numeric>"},
                               {"std::array", "<array>"},
                               {"std::map", "<map>"},
                               {"std::unordered_map", "<unordered_map>"},
                               {"std::function", "<functional>"},
                               {"std::thread", "<thread>"},
                               {"std::unique_ptr", "<memory>"},
                               {"std::make_unique", "<memory>"},
                               {"std::mt19937", "<random>"},
                               {"std::random_device", "<random>"},
                               {"std::uniform_real_distribution", "<random>"},
                               {"std::uniform_int_distribution", "<random>"},
                               {"std::normal_distribution", "<random>"},
                               {"std::runtime_error", "<stdexcept>"},
                               {"curandState", "<curand_kernel.h>"},
                               {"curand_init", "<curand_kernel.h>"},
                               {"__half", "<cuda_fp16.h>"},
                               {"half", "<cuda_fp16.h>"},
                               {"__half2", "<cuda_fp16.h>"},
                               {"half2", "<cuda_fp16.h>"},
                               {"__float2half", "<cuda_fp16.h>"},
                               {"__half2float", "<cuda_fp16.h>"}};
/// Namespaces, of which the compiler says only that something before :: is none.
constexpr Header kNamespaces[] = {{"chrono", "<chrono>"}, {"cooperative_groups", "<cooperative_groups.h>"}};

/// Whether the token at `at` is in a kernel, or in another function of the device alone.
bool IsDeviceCode(const Code& tokens, std::size_t at) {
  const auto function = EnclosingFunction(tokens, at);
  if (!function) return false;
  bool is_device = false, is_host = false;
  for (std::size_t i = *function; i > 0 && !IsOneOf(tokens[i - 1].text, {";", "{", "}"}); --i) {
    is_device = is_device || IsOneOf(tokens[i - 1].text, {"__global__", "__device__"});
    is_host = is_host || tokens[i - 1].text == "__host__";
  }
  return is_device && !is_host;
}

/// `std::cout << x` in a kernel: no header brings it there.
std::optional<KnownMistake> StreamInKernel(const Code& tokens, int line, const std::string& name) {
  if (!IsOneOf(name, {"std::cout", "std::cerr", "std::endl"})) return std::nullopt;
  const std::string last = name.substr(name.rfind(':') + 1);
  const auto use = std::ranges::find_if(
      tokens, [&](const CodeToken& each) { return each.line == line && each.text == last; });
  if (use == tokens.end() || !IsDeviceCode(tokens, static_cast<std::size_t>(use - tokens.begin())))
    return std::nullopt;
  return KnownMistake{say::in_line(line, say::device_reads_host_variable(name)),
                      say::print_with_included_printf()};
}

std::optional<KnownMistake> MissingInclude(const Code& tokens, int line, std::string_view words) {
  auto name = UndefinedName(words);
  if (!name) {
    name = NameBetween(words, "namespace \"std\" has no member \"", "\"");
    if (name) name = "std::" + *name;
  }
  if (!name) return std::nullopt;
  if (auto mistake = StreamInKernel(tokens, line, *name)) return mistake;
  const auto* const found = std::ranges::find(kHeaders, *name, &Header::name);
  if (found == std::end(kHeaders)) return std::nullopt;
  const std::string header(found->header);
  return KnownMistake{say::in_line(line, say::header_not_included(*name, header)),
                      say::include_header(header)};
}

/// `cooperative_groups::this_thread_block()`
std::optional<KnownMistake> MissingNamespace(const Code& tokens, int line, std::string_view words) {
  if (words != "name followed by \"::\" must be a class or namespace name") return std::nullopt;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i + 1].text != "::") continue;
    const auto* const found = std::ranges::find(kNamespaces, tokens[i].text, &Header::name);
    if (found == std::end(kNamespaces)) continue;
    const std::string header(found->header);
    return KnownMistake{say::in_line(line, say::header_not_included(tokens[i].text, header)),
                        say::include_header(header)};
  }
  return std::nullopt;
}

/// `cout << n`, `vector<int> v`
std::optional<KnownMistake> MissingStd(const Code& tokens, int line, const std::string& name) {
  const std::string whole = "std::" + name;
  if (!DefinitionOf(tokens, name)) {
    if (auto mistake = StreamInKernel(tokens, line, whole)) return mistake;
  }
  const auto* const found = std::ranges::find(kHeaders, whole, &Header::name);
  if (found == std::end(kHeaders) || DefinitionOf(tokens, name)) return std::nullopt;
  return KnownMistake{say::in_line(line, say::name_of_namespace_std(name)),
                      say::write_with_std(whole, std::string(found->header))};
}

/// An undefined name, where it is used.
struct UnknownName {
  std::string name;
  std::size_t at = 0;                   ///< Its token.
  std::optional<std::size_t> function;  ///< The function around it, by the token of its name.
};

std::optional<UnknownName> UnknownNameIn(const Code& tokens, int line, std::string_view words) {
  const auto name = UndefinedName(words);
  if (!name || !IsName(*name)) return std::nullopt;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].line == line && tokens[i].text == *name)
      return UnknownName{*name, i, EnclosingFunction(tokens, i)};
  }
  return std::nullopt;
}

/// `void k(float* P, int n, m) {`
bool IsParameterWithoutType(const Code& tokens, std::size_t at) {
  if (at == 0 || !IsOneOf(tokens[at - 1].text, {"(", ","}) || at + 1 >= tokens.size() ||
      !IsOneOf(tokens[at + 1].text, {")", ","}))
    return false;
  int depth = 0;
  for (std::size_t i = at; i-- > 2;) {
    depth += IsOneOf(tokens[i].text, {")", "]"}) ? 1 : IsOneOf(tokens[i].text, {"(", "["}) ? -1 : 0;
    if (IsOneOf(tokens[i].text, {";", "{", "}"})) return false;
    if (depth >= 0) continue;
    return IsName(tokens[i - 1].text) && IsName(tokens[i - 2].text) && tokens[i - 2].text != "return" &&
           IsAt(tokens, BehindParentheses(tokens, i), "{");
  }
  return false;
}

/// Another function of the file that has a parameter or a variable of that name, and where.
struct Owner {
  std::string function;
  int line = 0;
  bool is_parameter = false;
};

/// `for (int row = 0; …`
bool IsInHeaderOfLoop(const Code& tokens, std::size_t at) {
  while (at > 0 && !IsOneOf(tokens[at].text, {"(", ";", "{", "}"})) --at;
  return at > 0 && tokens[at].text == "(" && tokens[at - 1].text == "for";
}

std::optional<Owner> OwnerOf(const Code& tokens, const UnknownName& unknown) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != unknown.name) continue;
    if (const auto function = EnclosingFunction(tokens, i)) {
      // Each function has an i of its own.
      const bool is_counter = unknown.name.size() == 1 || IsInHeaderOfLoop(tokens, i);
      if (function != unknown.function && !is_counter && IsDeclared(tokens, i))
        return Owner{tokens[*function].text, tokens[i].line, false};
      continue;
    }
    // In a list of parameters: behind its parenthesis a body begins.
    int depth = 0;
    std::size_t open = i;
    for (; open > 1 && depth >= 0 && !IsOneOf(tokens[open].text, {";", "{", "}"}); --open)
      depth += IsOneOf(tokens[open - 1].text, {")", "]"})   ? 1
               : IsOneOf(tokens[open - 1].text, {"(", "["}) ? -1
                                                            : 0;
    if (depth >= 0 || !IsAt(tokens, BehindParentheses(tokens, open), "{")) continue;
    const auto list = ParametersAt(tokens, open);
    if (!list || open - 1 == unknown.function) continue;
    const bool is_one =
        std::ranges::find(list->parameters, unknown.name, &Parameter::name) != list->parameters.end();
    if (is_one) return Owner{tokens[open - 1].text, tokens[i].line, true};
  }
  return std::nullopt;
}

KnownMistake NameOfOwner(const UnknownName& unknown, const std::string& here, int line, const Owner& owner) {
  const say::Line declared(owner.line);
  return {
      say::in_line(line, owner.is_parameter
                             ? say::parameter_of_other_function(unknown.name, here, owner.function, declared)
                             : say::variable_of_other_function(unknown.name, here, owner.function, declared)),
      say::pass_to_function(unknown.name, here)};
}

/// `__shfl_down(sum, 16)` of tutorials before CUDA 9.
std::optional<KnownMistake> WarpFunctionWithoutMask(const Code& tokens, int line, std::size_t at) {
  const std::string& name = tokens[at].text;
  const bool is_old =
      IsOneOf(name, {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"});
  if (!is_old || !IsAt(tokens, at + 1, "(")) return std::nullopt;
  const std::size_t end = BehindBracket(tokens, at + 1);
  constexpr std::size_t kMost = 24;  // Tokens of a call that a line can show.
  const bool is_short = end < tokens.size() && end > at + 3 && end - at <= kMost;
  const std::string values = is_short ? TextOf(tokens, at + 2, end - 1) : "…";
  return KnownMistake{say::in_line(line, say::warp_function_without_mask(name, name + "_sync")),
                      say::write_with_mask(name + "_sync(0xffffffff, " + values + ")")};
}

/// "j, k and l" of `(const float* M, float* P, int j, int k, int l)`: who misses a number means one of those.
std::string NumbersAmong(const ParameterList& list) {
  std::string names;
  for (const Parameter& each : list.parameters) {
    if (each.type.stars == 0) names += (names.empty() ? "" : ", ") + each.name;
  }
  return names;
}

}  // namespace

std::optional<KnownMistake> FindNameMistake(const Code& tokens, int line, std::string_view words) {
  if (auto mistake = NameOfLibraryFunction(tokens, line, words)) return mistake;
  if (auto mistake = NameOfEndedScope(tokens, line, words)) return mistake;
  if (auto mistake = MissingInclude(tokens, line, words)) return mistake;
  if (auto mistake = MissingNamespace(tokens, line, words)) return mistake;
  const auto unknown = UnknownNameIn(tokens, line, words);
  if (!unknown) return std::nullopt;
  if (IsParameterWithoutType(tokens, unknown->at))
    return KnownMistake{say::in_line(line, say::parameter_without_type(unknown->name)),
                        say::write_type_of_parameter(unknown->name)};
  if (IsAt(tokens, unknown->at + 1, "(")) {
    const auto below = DefinitionOf(tokens, unknown->name);
    if (below && below->line > line)
      return KnownMistake{
          say::in_line(line, say::function_is_defined_below(unknown->name, say::Line(below->line))),
          say::move_function_above(unknown->name)};
  }
  if (!unknown->function) return std::nullopt;
  const auto owner = OwnerOf(tokens, *unknown);
  if (!owner) return std::nullopt;
  return NameOfOwner(*unknown, tokens[*unknown->function].text, line, *owner);
}

std::optional<KnownMistake> FindUndeclaredName(const Code& tokens, int line, std::string_view words) {
  const auto unknown = UnknownNameIn(tokens, line, words);
  if (!unknown) return std::nullopt;
  const std::size_t next = unknown->at + 1;
  if (auto mistake = MissingStd(tokens, line, unknown->name)) return mistake;
  if (auto mistake = WarpFunctionWithoutMask(tokens, line, unknown->at)) return mistake;
  if (IsAt(tokens, next, "("))
    return KnownMistake{say::in_line(line, say::function_not_declared(unknown->name)),
                        say::check_functions_name(unknown->name)};
  // `Matrix m`, `Matrix* m`: a type. `a * b` is a product.
  const bool is_type = next < tokens.size() && IsName(tokens[next].text);
  if (!unknown->function || is_type) return std::nullopt;
  const std::string& function = tokens[*unknown->function].text;
  const auto list = ParametersAt(tokens, *unknown->function + 1);
  // What the function does declare, there or before, is unknown for a reason that is seen elsewhere.
  const Code own(tokens.begin() + static_cast<std::ptrdiff_t>(*unknown->function),
                 tokens.begin() + static_cast<std::ptrdiff_t>(std::min(next + 1, tokens.size())));
  if (tokens[unknown->at - 1].text == ">" || DeclaredType(own, unknown->name, own.size() - 1))
    return std::nullopt;
  const std::string numbers = list ? NumbersAmong(*list) : "";
  // What gets a value is a variable that is missing, and no parameter.
  const bool is_assigned =
      next < tokens.size() && (tokens[next].text == "=" || IsCompoundAssignment(tokens[next].text));
  return KnownMistake{say::in_line(line, say::name_not_declared(unknown->name, function)),
                      numbers.empty() || is_assigned
                          ? say::declare_name_above(unknown->name)
                          : say::use_parameter_or_declare(unknown->name, function, numbers)};
}

}  // namespace warplings
