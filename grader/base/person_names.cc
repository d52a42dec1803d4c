// SPDX-License-Identifier: Apache-2.0
#include "grader/base/person_names.h"

#include <locale.h>
#include <wctype.h>

#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

#include "grader/base/characters.h"

namespace warplings {
namespace {

void Append(wint_t character, std::string& text) {
  if (character < 0x80) {
    text += static_cast<char>(character);
    return;
  }
  const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  constexpr unsigned char kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kFirst[more] | (character >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | ((character >> (6 * i)) & 0x3F));
}

/// The first character of a name, which may be written as Printable shows it: \u{00a0}.
Character FirstOfName(std::string_view name) {
  constexpr std::string_view kBegin = "\\u{";
  const std::size_t end = name.substr(0, 12).find('}');
  if (name.starts_with(kBegin) && end != std::string_view::npos) {
    unsigned code = 0;
    const char* const digits_end = name.data() + end;
    const auto [rest, fault] = std::from_chars(name.data() + kBegin.size(), digits_end, code, 16);
    if (fault == std::errc() && rest == digits_end) return {code, end + 1};
  }
  return FirstCharacter(name);
}

}  // namespace

std::string FoldName(std::string_view name) {
  static const locale_t kUnicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  std::string folded;
  for (std::size_t i = 0; i < name.size();) {
    const Character next = FirstOfName(name.substr(i));
    i += next.bytes;
    if (IsOddSpace(next.code)) continue;
    const auto character = static_cast<wint_t>(next.code);
    const bool letter =
        character >= 0x80 || (character < 0x80 && ::isalnum(static_cast<int>(character)) != 0);
    if (letter) Append(kUnicode != nullptr ? ::towlower_l(character, kUnicode) : character, folded);
  }
  return folded;
}

std::set<std::string> NameForms(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name + " ") {
    if (c != ' ' && c != ',') {
      word += c;
    } else if (const std::string folded = FoldName(std::exchange(word, "")); !folded.empty()) {
      words.push_back(folded);
    }
  }
  std::set<std::string> forms;
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string form;
    for (std::size_t i = 0; i < words.size(); ++i) form += words[(first + i) % words.size()];
    forms.insert(form);
  }
  return forms;
}

std::string GivenNameFirst(const std::string& name) {
  const std::size_t comma = name.find(',');
  if (comma == std::string::npos) return name;
  return name.substr(comma + 1) + " " + name.substr(0, comma);
}

}  // namespace warplings
