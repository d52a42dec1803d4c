// SPDX-License-Identifier: Apache-2.0
#include "grader/build/name_mistakes.h"

#include <algorithm>
#include <cstddef>
#include <string>

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
constexpr Header kHeaders[] = {
    {"printf", "<cstdio>"},       {"fprintf", "<cstdio>"},        {"puts", "<cstdio>"},
    {"assert", "<cassert>"},      {"FLT_MAX", "<cfloat>"},        {"FLT_MIN", "<cfloat>"},
    {"FLT_EPSILON", "<cfloat>"},  {"DBL_MAX", "<cfloat>"},        {"INT_MAX", "<climits>"},
    {"INT_MIN", "<climits>"},     {"UINT_MAX", "<climits>"},      {"uint8_t", "<cstdint>"},
    {"uint32_t", "<cstdint>"},    {"uint64_t", "<cstdint>"},      {"int64_t", "<cstdint>"},
    {"uintptr_t", "<cstdint>"},   {"std::vector", "<vector>"},    {"std::string", "<string>"},
    {"std::cout", "<iostream>"},  {"std::cerr", "<iostream>"},    {"std::sort", "<algorithm>"},
    {"std::fill", "<algorithm>"}, {"std::copy", "<algorithm>"},   {"std::accumulate", "<numeric>"},
    {"std::array", "<array>"},    {"std::unique_ptr", "<memory>"}};

std::optional<KnownMistake> MissingInclude(int line, std::string_view words) {
  auto name = UndefinedName(words);
  if (!name) {
    name = NameBetween(words, "namespace \"std\" has no member \"", "\"");
    if (name) name = "std::" + *name;
  }
  if (!name) return std::nullopt;
  const auto* const found = std::ranges::find(kHeaders, *name, &Header::name);
  if (found == std::end(kHeaders)) return std::nullopt;
  const std::string header(found->header);
  return KnownMistake{say::in_line(line, say::header_not_included(*name, header)),
                      say::include_header(header)};
}

}  // namespace

std::optional<KnownMistake> FindNameMistake(const Code& tokens, int line, std::string_view words) {
  if (auto mistake = NameOfLibraryFunction(tokens, line, words)) return mistake;
  if (auto mistake = NameOfEndedScope(tokens, line, words)) return mistake;
  return MissingInclude(line, words);
}

}  // namespace warplings
