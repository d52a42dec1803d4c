// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/contract.h"

#include <cctype>

namespace warplings {
namespace {

/// Removes comments and preprocessor lines, and makes each run of white space one space.
std::string Simplify(std::string_view header) {
  std::string text;
  const auto add = [&text](char c) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  };
  bool line_start = true;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string_view rest = header.substr(i);
    if (rest.starts_with("//") || (line_start && rest.starts_with("#"))) {
      while (i < header.size() && header[i] != '\n') ++i;
      add(' ');
      line_start = true;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = header.find("*/", i + 2);
      i = end == std::string_view::npos ? header.size() : end + 1;
      add(' ');
    } else {
      if (header[i] == '\n') line_start = true;
      if (std::isspace(static_cast<unsigned char>(header[i])) == 0) line_start = false;
      add(header[i]);
    }
  }
  return text;
}

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::optional<std::string> FindDeclaration(std::string_view header, std::string_view entry) {
  const std::string text = Simplify(header);
  for (std::size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at + 1)) {
    std::size_t after = at + entry.size();
    if (after < text.size() && text[after] == ' ') ++after;
    if (after >= text.size() || text[after] != '(') continue;
    if (at > 0 && IsWordCharacter(text[at - 1])) continue;
    std::size_t start = text.find_last_of(";{}", at);
    start = text.find_first_not_of(' ', start == std::string::npos ? 0 : start + 1);
    const std::size_t end = text.find_first_of(";{}", after);
    if (end == std::string::npos || text[end] != ';') continue;
    return text.substr(start, end + 1 - start);
  }
  return std::nullopt;
}

std::vector<std::string> DeclaredNames(std::string_view header) {
  const std::string text = Simplify(header);
  std::vector<std::string> names;
  for (std::size_t bracket = text.find('('); bracket != std::string::npos;
       bracket = text.find('(', bracket + 1)) {
    std::size_t end = bracket;
    if (end > 0 && text[end - 1] == ' ') --end;
    std::size_t start = end;
    while (start > 0 && IsWordCharacter(text[start - 1])) --start;
    std::string name = text.substr(start, end - start);
    if (FindDeclaration(header, name) && !name.empty()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace warplings
