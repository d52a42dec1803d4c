// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplings {

/// `text` made safe to print: a submission chooses kernel names, messages and output, and must not be able to
/// send control sequences to a terminal. Control characters and bytes that are not UTF-8 become \xNN; a
/// newline stays, and a tab becomes two spaces. Invisible characters that can hide or reorder their
/// neighbours (right-to-left overrides, zero-width spaces, tags) and spaces that only look like one (no-break
/// spaces) are escaped as in \u{202e}. Joiners stay in words and emoji that need them, and U+3000 between
/// ideographs.
std::string Printable(std::string_view text);

/// The longest prefix of `text` that fits into `bytes` bytes and does not end within a UTF-8 character.
std::string_view FirstBytes(std::string_view text, std::size_t bytes);

/// Columns that a line of printable UTF-8 occupies on a terminal. A Chinese character occupies two.
std::size_t DisplayWidth(std::string_view line);

/// `text` broken at spaces into lines of at most `width` columns, each indented by `indent` spaces. A word
/// that is longer than a line stays whole. Newlines in `text` are kept. A line may be broken between any two
/// Chinese characters, but punctuation stays with the character that it belongs to. "3 x 4" and 「第 4 列」
/// are not broken.
std::string Wrap(std::string_view text, std::size_t width, std::size_t indent);

/// Joins the lines of each paragraph, so that Wrap can break them for another width; an empty line still ends
/// a paragraph. For prose that its author broke into lines. A line break becomes a space, or nothing between
/// Chinese characters and beside a Chinese full stop or comma.
std::string JoinLines(std::string_view text);

/// A table with left-aligned columns, two spaces between them. Each row is indented by `indent` spaces and
/// ends with a newline.
std::string AlignColumns(const std::vector<std::vector<std::string>>& rows, std::size_t indent);

/// `text` with A to Z in lower case and everything else unchanged, whatever the locale.
std::string InLowerCase(std::string_view text);

/// The words with the separator between them. `words` is a range of strings.
template <class Words>
std::string Joined(const Words& words, std::string_view separator) {
  std::string text;
  for (bool is_first = true; const auto& word : words) {
    if (!std::exchange(is_first, false)) text += separator;
    text += word;
  }
  return text;
}

/// "1,234,567".
std::string WithThousands(std::uint64_t number);

/// "1 element", "2 elements".
std::string Counted(std::uint64_t number, std::string_view noun);

}  // namespace warplings
