// SPDX-License-Identifier: Apache-2.0
#include "grader/base/person_names.h"

#include <locale.h>
#include <wctype.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include "grader/base/accents.h"
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

/// Characters that stand in names between letters, and that one system writes so and another so: apostrophes,
/// hyphens, dots and what shapes letters unseen.
bool IsBetweenLetters(char32_t code) {
  constexpr char32_t kOthers[] = {0xB4, 0xB7, 0x2BB, 0x2BC, 0x30FB, 0xFF07, 0xFF0C, 0xFF0E, 0xFF65};
  return IsOddSpace(code) || (code >= 0x2010 && code <= 0x2027) ||
         std::ranges::find(kOthers, code) != std::end(kOthers);
}

/// A name's letters and digits in lower case, taken apart.
std::u32string LettersOf(std::string_view name) {
  static const locale_t kUnicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  std::u32string letters;
  for (std::size_t i = 0; i < name.size();) {
    const Character next = FirstOfName(name.substr(i));
    i += next.bytes;
    if (IsBetweenLetters(next.code)) continue;
    const auto character = static_cast<wint_t>(next.code);
    if (character < 0x80 && ::isalnum(static_cast<int>(character)) == 0) continue;
    const wint_t lower = kUnicode != nullptr ? ::towlower_l(character, kUnicode) : character;
    AppendTakenApart(static_cast<char32_t>(lower), letters);
  }
  return letters;
}

/// Without accents; `spelled` takes "oe" for "ö" instead of "o".
std::string PlainName(const std::u32string& letters, bool spelled) {
  std::string plain;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (IsAccent(letters[i])) continue;
    const char32_t accent = i + 1 < letters.size() && IsAccent(letters[i + 1]) ? letters[i + 1] : 0;
    const auto& [letter, other] = FindPlainLetter(letters[i], accent);
    if (spelled && !other.empty()) {
      plain += other;
    } else if (!letter.empty()) {
      plain += letter;
    } else {
      Append(static_cast<wint_t>(letters[i]), plain);
    }
  }
  return plain;
}

/// The words in every order that puts the last ones first.
std::set<std::string> Turned(const std::vector<std::string>& words) {
  std::set<std::string> forms;
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string form;
    for (std::size_t i = 0; i < words.size(); ++i) form += words[(first + i) % words.size()];
    forms.insert(form);
  }
  return forms;
}

std::vector<std::string> WordsOf(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name + " ") {
    if (c != ' ' && c != ',') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

}  // namespace

std::string FoldName(std::string_view name) {
  std::string folded;
  for (const char32_t letter : LettersOf(name)) Append(static_cast<wint_t>(letter), folded);
  return folded;
}

std::set<std::string> PlainNames(std::string_view name) {
  const std::u32string letters = LettersOf(name);
  return {PlainName(letters, false), PlainName(letters, true)};
}

std::set<std::string> NameForms(const std::string& name) {
  std::vector<std::string> words;
  for (const std::string& word : WordsOf(name)) {
    if (std::string folded = FoldName(word); !folded.empty()) words.push_back(std::move(folded));
  }
  return Turned(words);
}

std::set<std::string> WrittenForms(const std::string& written) {
  constexpr char32_t kFirstIdeograph =
      0x1100;  // Hangul's letters; behind them Kana, ideographs and syllables.
  std::set<std::string> forms = {FoldName(written)};
  const std::u32string letters = LettersOf(written);
  if (std::ranges::all_of(letters, [](char32_t each) { return each >= kFirstIdeograph; }))
    forms.merge(NameForms(written));
  return forms;
}

std::string NameSortKey(const std::string& name) {
  std::string key;
  for (const std::string& word : WordsOf(name)) key += PlainName(LettersOf(word), false) + ' ';
  // Of names that differ in accents alone, the order must not depend on who came first.
  return key + '\0' + name;
}

NameFit CompareNames(std::string_view written, const std::string& name) {
  const std::string folded = FoldName(written);
  if (folded.empty()) return NameFit::kNone;
  const std::set<std::string> forms = NameForms(name);
  for (const std::string& each : WrittenForms(std::string(written))) {
    if (forms.contains(each)) return NameFit::kExact;
  }
  const std::set<std::string> wanted = PlainNames(written);
  for (const bool spelled : {false, true}) {
    std::vector<std::string> words;
    for (const std::string& word : WordsOf(name)) words.push_back(PlainName(LettersOf(word), spelled));
    for (const std::string& form : Turned(words)) {
      if (wanted.contains(form)) return NameFit::kWithoutAccents;
    }
  }
  return NameFit::kNone;
}

std::string GivenNameFirst(const std::string& name) {
  const std::size_t comma = name.find(',');
  if (comma == std::string::npos) return name;
  return name.substr(comma + 1) + " " + name.substr(0, comma);
}

}  // namespace warplings
