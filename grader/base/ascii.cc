// SPDX-License-Identifier: Apache-2.0
#include "grader/base/ascii.h"

#include <algorithm>
#include <cstdlib>

#include "grader/base/characters.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

struct Spelling {
  std::string_view character, ascii;
};

/// What our own texts are written with, and the compiler's: nvcc and g++ quote names with ‘ and ’.
constexpr Spelling kSpellings[] = {
    {"×", "x"},  {"·", "*"},  {"→", "->"},     {"←", "<-"},     {"…", "..."},  {"–", "-"},  {"—", "--"},
    {"−", "-"},  {"≤", "<="}, {"≥", ">="},     {"≠", "!="},     {"≈", "~"},    {"±", "+-"}, {"÷", "/"},
    {"²", "^2"}, {"³", "^3"}, {"µ", "u"},      {"μ", "u"},      {"°", " deg"}, {"‘", "'"},  {"’", "'"},
    {"“", "\""}, {"”", "\""}, {"«", "\""},     {"»", "\""},     {"•", "*"},    {"│", "|"},  {"─", "-"},
    {"✓", "+"},  {"✗", "x"},  {"\u00a0", " "}, {"\u202f", " "},
};

std::string SpelledInAscii(std::string_view character) {
  const auto known = std::ranges::find(kSpellings, character, &Spelling::character);
  if (known != std::end(kSpellings)) return std::string(known->ascii);
  return std::string(character.size() == 1 ? 1 : DisplayWidth(character), '?');
}

}  // namespace

bool LocaleIsUtf8() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (locale.empty() && value != nullptr) locale = value;
  }
  const std::size_t dot = locale.find('.');
  if (dot == std::string::npos) return false;
  std::string codeset = locale.substr(dot + 1, locale.find('@') - dot - 1);
  std::erase(codeset, '-');
  return InLowerCase(codeset) == "utf8";
}

std::string ToAscii(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = std::min(CharacterBytes(first), text.size());
    out += SpelledInAscii(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace warplings
