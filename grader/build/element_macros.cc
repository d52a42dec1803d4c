// SPDX-License-Identifier: Apache-2.0
#include "grader/build/element_macros.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "grader/build/code_words.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

struct ElementMacro {
  std::vector<std::string> parameters;
  Tokens text;
};
using ElementMacros = std::map<std::string, ElementMacro, std::less<>>;

/// Reads what follows "#define" in a line: "AT(r, c) x[r * w + c]".
void AddMacro(std::string_view words, ElementMacros& macros, std::set<std::string>& seen) {
  const std::size_t open = words.find('(');
  const bool has_parameters =
      open != words.npos && std::ranges::all_of(words.substr(0, open), IsWordCharacter);
  const std::string name(words.substr(0, std::min(open, words.find_first_of(" \t"))));
  const bool is_first = seen.insert(name).second;
  if (!is_first) macros.erase(name);
  if (!has_parameters || !is_first || words.ends_with('\\')) return;
  const Tokens tokens = TokensOf(words.substr(open + 1));
  ElementMacro macro;
  std::size_t at = 0;
  for (; at < tokens.size() && tokens[at].text != ")"; ++at) {
    if (IsName(tokens[at].text)) macro.parameters.push_back(tokens[at].text);
  }
  if (at == tokens.size()) return;
  macro.text.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1, tokens.end());
  const bool has_element = std::ranges::find(macro.text, "[", &CodeToken::text) != macro.text.end();
  // A macro's text may have #, or macros itself: these are left out.
  const bool has_other = std::ranges::find(macro.text, "#", &CodeToken::text) != macro.text.end();
  if (has_element && !has_other) macros[name] = std::move(macro);
}

ElementMacros MacrosIn(std::string_view code) {
  ElementMacros macros;
  std::set<std::string> seen;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    std::string_view line = code.substr(0, end);
    code.remove_prefix(std::min(end + 1, code.size()));
    const auto skip_blanks = [&] {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    skip_blanks();
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    skip_blanks();
    constexpr std::string_view kDefine = "define";
    if (!line.starts_with(kDefine)) continue;
    line.remove_prefix(kDefine.size());
    skip_blanks();
    line.remove_suffix(line.size() - std::min(line.find_last_not_of(" \t\r") + 1, line.size()));
    AddMacro(line, macros, seen);
  }
  return macros;
}

}  // namespace

std::vector<CodeToken> TokensWithElements(std::string_view code) {
  const Tokens tokens = TokensOf(code);
  const ElementMacros macros = MacrosIn(code);
  if (macros.empty()) return tokens;
  // Hostile sources: what is put in stays small.
  constexpr std::size_t kMostTokens = 1 << 16;
  Tokens expanded;
  for (std::size_t at = 0; at < tokens.size();) {
    const auto macro = macros.find(tokens[at].text);
    const bool is_call = macro != macros.end() && IsAt(tokens, at + 1, "(");
    const std::size_t behind = is_call ? BehindBracket(tokens, at + 1) : at + 1;
    std::vector<TokenRange> arguments;
    if (is_call && tokens[behind - 1].text == ")") arguments = PartsOf(tokens, at + 1);
    if (arguments.empty() || arguments.size() != macro->second.parameters.size() ||
        expanded.size() > kMostTokens) {
      expanded.push_back(tokens[at++]);
      continue;
    }
    const std::vector<std::string>& parameters = macro->second.parameters;
    for (const CodeToken& each : macro->second.text) {
      const auto parameter = std::ranges::find(parameters, each.text);
      if (parameter == parameters.end()) {
        expanded.push_back({each.text, tokens[at].line});
        continue;
      }
      const TokenRange& put = arguments[static_cast<std::size_t>(parameter - parameters.begin())];
      for (std::size_t i = put.begin; i < put.end; ++i) expanded.push_back({tokens[i].text, tokens[at].line});
    }
    at = behind;
  }
  return expanded;
}

}  // namespace warplings
