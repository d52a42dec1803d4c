// SPDX-License-Identifier: Apache-2.0
#include "grader/base/characters.h"

#include <algorithm>
#include <iterator>

namespace warplings {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool IsIn(const Range (&ranges)[N], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const Range& range) { return code >= range.first && code <= range.last; });
}

// EastAsianWidth.txt, W and F. Neighbouring ranges with nothing but unassigned characters between them are
// one.
constexpr Range kWide[] = {
    {0x1100, 0x115F},                                        // Hangul
    {0x2E80, 0x303E},                                        // radicals, 、。「」
    {0x3041, 0x4DBF},                                        // kana, bopomofo, ㎡, extension A
    {0x4E00, 0xA4C6},                                        // Chinese characters, Yi
    {0xA960, 0xA97C}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  // compatibility ideographs
    {0xFE10, 0xFE19}, {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},  // full-width ，！（）
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

// Only what texts in Latin, Greek and Cyrillic letters may hold, and what joins or varies symbols.
constexpr Range kOverTheOneBefore[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x200B, 0x200F},
    {0x20D0, 0x20F0}, {0x302A, 0x302D}, {0xFE00, 0xFE0F},
};

// Of Default_Ignorable_Code_Point (DerivedCoreProperties.txt) all but joiners, and the separators of lines.
constexpr Range kUnseen[] = {
    {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200B},   {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

// General category Zs, but for U+0020.
constexpr Range kOddSpaces[] = {{0x00A0, 0x00A0}, {0x1680, 0x1680}, {0x2000, 0x200A},
                                {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};

constexpr char32_t kClosing[] = U"，。、；：？！」』》〉）］｝】〕…—～·";
constexpr char32_t kOpening[] = U"「『《〈（［｛【〔";

bool IsOneOf(std::u32string_view set, char32_t code) {
  return set.find(code) != std::u32string_view::npos;
}

}  // namespace

std::size_t CharacterBytes(unsigned char first) {
  return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

Character FirstCharacter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t bytes = CharacterBytes(first);
  if (bytes == 1 || bytes > text.size()) return {first, 1};
  char32_t code = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {first, 1};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  return {code, bytes};
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const Character first = FirstCharacter(text);
    if (first.bytes == 1 && first.code >= 0x80) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

std::optional<std::size_t> FirstLineNotUtf8(std::string_view text) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (!IsUtf8(text.substr(0, end))) return line;
    text.remove_prefix(end);
  }
  return std::nullopt;
}

int ColumnsOf(char32_t code) {
  if (code < 0x300) return 1;  // Nearly all that is ever asked.
  if (IsIn(kOverTheOneBefore, code)) return 0;
  return IsIn(kWide, code) ? 2 : 1;
}

bool IsUnseen(char32_t code) {
  return code >= 0xAD && IsIn(kUnseen, code);
}

bool IsOddSpace(char32_t code) {
  return code >= 0xA0 && IsIn(kOddSpaces, code);
}

bool IsJoiner(char32_t code) {
  return code == 0x200C || code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F);
}

bool IsIdeographic(char32_t code) {
  return code >= 0x2E80 && ColumnsOf(code) == 2 && (code < 0xAC00 || code > 0xD7A3);
}

bool ClosesLine(char32_t code) {
  return IsOneOf(kClosing, code);
}

bool OpensLine(char32_t code) {
  return IsOneOf(kOpening, code);
}

}  // namespace warplings
