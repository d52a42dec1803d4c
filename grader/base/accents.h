// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// True for a mark that a letter of the Latin, Greek or Cyrillic script is written with, as a character of
/// its own: U+0301 behind an "e".
bool IsAccent(char32_t code);

/// Appends a letter in lower case to a text, taken apart: "é" as "e" and U+0301. Files that macOS names are
/// written so, and rosters are not (Unicode's forms NFD and NFC). Accents of one letter are in the order of
/// their codes, whatever the order in which they came.
void AppendTakenApart(char32_t letter, std::u32string& text);

/// How a letter is written without accents, by people and by systems that know only English letters.
struct PlainLetter {
  std::string_view plain;    ///< "o" of "ø"; empty if the letter is no such one.
  std::string_view spelled;  ///< "oe" of "ø"; empty if there is no other spelling.
};

/// Of a letter in lower case. "ö" is found as "o" and U+0308, taken apart: `accent` is 0 if there is none.
PlainLetter FindPlainLetter(char32_t letter, char32_t accent);

}  // namespace warplings
