// SPDX-License-Identifier: Apache-2.0
#include "grader/build/symbols.h"

#include <algorithm>

namespace warplings {

namespace {

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.';
}

/// Start of the parameter list: the first parenthesis outside template arguments that does not open
/// "(anonymous namespace)".
std::size_t ParametersStart(std::string_view text) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (text[i] == '(' && depth <= 0) {
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::vector<Symbol> ParseNm(std::string_view text) {
  std::vector<Symbol> symbols;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 >= line.size()) continue;
    if (space + 2 < line.size() && line[space + 2] != ' ') continue;
    symbols.push_back({std::string(line.substr(0, space)), line[space + 1]});
  }
  return symbols;
}

std::string Demangled(std::string_view name, Demangler& demangle) {
  std::string text = demangle(name);
  return text.empty() ? std::string(name) : text;
}

std::string DemangledText(std::string_view text, Demangler& demangle) {
  std::string result;
  while (!text.empty()) {
    std::size_t start = std::min(text.find("_Z"), text.size());
    result += text.substr(0, start);
    text.remove_prefix(start);
    std::size_t length = 0;
    while (length < text.size() && IsNameCharacter(text[length])) ++length;
    result += Demangled(text.substr(0, length), demangle);
    text.remove_prefix(length);
  }
  return result;
}

std::string BaseName(std::string_view demangled) {
  std::string_view name = demangled.substr(0, ParametersStart(demangled));
  int depth = 0;
  std::size_t start = 0, end = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' && depth++ == 0) end = i;
    if (name[i] == '>') --depth;
    if (depth == 0 && (name[i] == ' ' || name[i] == ':')) start = i + 1, end = name.size();
  }
  return std::string(name.substr(start, end > start ? end - start : 0));
}

}  // namespace warplings
