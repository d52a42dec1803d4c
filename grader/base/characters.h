// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warplings {

// What a terminal and a line breaker need to know about a character. These are small tables of our own,
// because the C library's wcwidth() depends on the machine's locale, and a bare container has only "C".

/// Length in bytes of the UTF-8 character whose first byte is `first`; 1 if no character begins with it.
std::size_t CharacterBytes(unsigned char first);

/// The first character of a UTF-8 text that is not empty, and its length in bytes. A byte that begins no
/// valid character stands for itself.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};
Character FirstCharacter(std::string_view text);

/// Whether all of it is valid UTF-8.
bool IsUtf8(std::string_view text);

/// The number, from 1, of the first line that is not.
std::optional<std::size_t> FirstLineNotUtf8(std::string_view text);

/// Columns that the character occupies on a terminal: 2 for East Asian wide characters, 0 for a combining
/// character, otherwise 1. (Unicode 15: East_Asian_Width W and F are wide; the class Ambiguous counts as
/// narrow, as in wcwidth().)
int ColumnsOf(char32_t code);

/// True for invisible characters that can hide or reorder their neighbours: bidirectional controls,
/// zero-width spaces, fillers, line separators, tags.
bool IsUnseen(char32_t code);

/// True for spaces that look like U+0020, or like nothing, and are another character: no-break spaces, thin
/// ones, U+3000. Two names that differ by one look alike.
bool IsOddSpace(char32_t code);

/// True for invisible characters that are legitimate because they shape their neighbours: U+200C and U+200D,
/// as in Persian words and emoji, and variation selectors.
bool IsJoiner(char32_t code);

/// True for Chinese characters: a line may be broken before and after one, without a space.
bool IsIdeographic(char32_t code);

/// True for closing punctuation such as ，。」, which must not begin a line.
bool ClosesLine(char32_t code);

/// True for opening punctuation such as 「（, which must not end a line.
bool OpensLine(char32_t code);

}  // namespace warplings
