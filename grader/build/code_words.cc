// SPDX-License-Identifier: Apache-2.0
#include "grader/build/code_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <utility>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

bool IsName(const std::string& text) {
  return IsWordCharacter(text.front()) && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

bool BeginsAsConstant(const std::string& name) {
  const auto is_capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  // Foo.x is a member of something.
  return (is_capital(name.front()) && name.find('.') == std::string::npos) ||
         (name.size() > 1 && name[0] == 'k' && is_capital(name[1]));
}

bool IsNumberType(const std::string& text) {
  if (IsOneOf(text, {"float",   "double",  "int",     "unsigned", "signed",   "long",    "short",
                     "char",    "bool",    "half",    "__half",   "size_t",   "int8_t",  "int16_t",
                     "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"})) {
    return true;
  }
  const bool has_digit = text.back() >= '1' && text.back() <= '4';
  return has_digit && IsOneOf(std::string_view(text).substr(0, text.size() - 1),
                              {"float", "double", "int", "uint", "long", "ulong", "longlong", "ulonglong",
                               "short", "ushort", "char", "uchar"});
}

bool IsCompoundAssignment(std::string_view text) {
  return IsOneOf(text, {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
}

bool TakesValues(const std::string& name) {
  return IsNumberType(name) ||
         IsOneOf(name, {"fma",  "fmaf",  "max",   "min",    "fmax",  "fmaxf", "fmin",      "fminf",
                        "sqrt", "sqrtf", "rsqrt", "rsqrtf", "exp",   "expf",  "log",       "logf",
                        "fabs", "fabsf", "abs",   "pow",    "powf",  "tanh",  "tanhf",     "sin",
                        "cos",  "sinf",  "cosf",  "floor",  "ceil",  "isnan", "__fmaf_rn", "__fadd_rn",
                        "if",   "while", "for",   "switch", "return"});
}

std::map<std::string, int> NamedNumbers(std::string_view code) {
  std::map<std::string, int> numbers;
  std::vector<std::string> words;
  std::string word;
  for (const char c : code) {
    if (IsWordCharacter(c)) {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(std::exchange(word, ""));
    if (c != ' ' && c != '=' && c != '\t' && c != '#') words.emplace_back(1, c);
  }
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const bool is_defined = words[i] == "define" || words[i] == "int";
    int number = 0;
    const std::string& text = words[i + 2];
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (is_defined && fault == std::errc() && end == text.data() + text.size())
      numbers[words[i + 1]] = number;
  }
  return numbers;
}

std::vector<NumberMacro> NumbersWithSemicolon(std::string_view code) {
  std::vector<NumberMacro> found;
  for (int line = 1; !code.empty(); ++line) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    std::istringstream words(std::string(code.substr(0, end)));
    code.remove_prefix(std::min(end + 1, code.size()));
    std::string directive, name, text;
    if (!(words >> directive)) continue;
    if (directive == "#" && words >> directive) directive.insert(0, 1, '#');
    if (directive != "#define" || !(words >> name) || !std::getline(words >> std::ws, text)) continue;
    text.erase(text.find_last_not_of(" \t\r") + 1);
    const std::string value = text.substr(0, text.find(';'));
    const bool is_number = value.find_first_of("0123456789") != value.npos &&
                           value.find_first_not_of("0123456789+-*/%<>() .fuUlL") == value.npos;
    if (is_number && text.size() == value.size() + 1 && IsName(name) &&
        std::ranges::all_of(name, IsWordCharacter))
      found.push_back({name, line});
  }
  return found;
}

std::set<std::string> NamesInMacros(std::string_view code) {
  std::set<std::string> names;
  bool continued = false;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    code.remove_prefix(std::min(end + 1, code.size()));
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_macro =
        continued || (first != line.npos && line[first] == '#' && line.find("define") != line.npos);
    continued = is_macro && line.ends_with('\\');
    std::string word;
    for (const char c : std::string(is_macro ? line : "") + " ") {
      if (IsWordCharacter(c)) {
        word += c;
      } else if (!word.empty()) {
        names.insert(std::exchange(word, ""));
      }
    }
  }
  return names;
}

}  // namespace warplings
