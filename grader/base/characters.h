// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace warplings {

// What a terminal and a line breaker have to know of a character. Our own small tables, because the C
// library's wcwidth() answers for the locale of the machine only, and a bare container has none but "C".

/// Bytes of a character of UTF-8 that begins with this one; 1 where none does.
std::size_t CharacterBytes(unsigned char first);

/// The first character of UTF-8 text that is not empty, and its bytes. A byte that begins no character stands
/// for itself.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};
Character FirstCharacter(std::string_view text);

/// Columns of a terminal: 2 for what East Asian scripts write, 0 for what is drawn over the character before
/// it, else 1. (Unicode 15, East_Asian_Width W and F; what is ambiguous there is narrow here, as in
/// wcwidth().)
int ColumnsOf(char32_t code);

/// Draws nothing, and may hide or reorder what stands beside it: controls of bidirectional writing,
/// zero-width spaces, fillers, separators of lines, tags.
bool IsUnseen(char32_t code);

/// Draws nothing either, but shapes what it joins: U+200C and U+200D, as in Persian words and emoji, and
/// variation selectors.
bool IsJoiner(char32_t code);

/// A line may end before and behind a Chinese character, without a blank.
bool IsIdeographic(char32_t code);

/// ，。」: never the first of a line.
bool ClosesLine(char32_t code);

/// 「（: never the last of a line.
bool OpensLine(char32_t code);

}  // namespace warplings
