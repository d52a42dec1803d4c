// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// `text` made safe to print: a submission chooses kernel names, messages and output, and must not be
/// able to send a terminal's control sequences. Control characters and bytes that are not UTF-8 become
/// \xNN; newline stays, a tab becomes two spaces. What is not seen but hides or reorders its neighbours
/// becomes \u{202e}: right-to-left overrides, zero-width spaces, tags. Joiners stay in words and emoji that
/// need them.
std::string Printable(std::string_view text);

/// As much of `text` as fits into `bytes` bytes, without a part of a UTF-8 character at its end.
std::string_view FirstBytes(std::string_view text, std::size_t bytes);

/// Columns that a line of printable UTF-8 takes on a terminal: a Chinese character takes two.
std::size_t DisplayWidth(std::string_view line);

/// `text` broken at spaces into lines of at most `width` columns, each behind `indent` spaces. A word that
/// is longer than a line stays whole. Newlines in `text` are kept. Between Chinese characters a line may end
/// anywhere, but punctuation stays with what it belongs to.
std::string Wrap(std::string_view text, std::size_t width, std::size_t indent);

/// `text` with its single line breaks made spaces, so that Wrap can break it anew; an empty line still ends
/// a paragraph. For prose that was broken where it was written. Beside a Chinese full stop or comma, and
/// between Chinese characters, there is no space.
std::string Unbroken(std::string_view text);

/// Rows with their cells left-aligned in columns two spaces apart, each row behind `indent` spaces and
/// ended by a newline.
std::string AlignColumns(const std::vector<std::vector<std::string>>& rows, std::size_t indent);

/// "1,234,567".
std::string WithThousands(std::uint64_t number);

/// "1 element", "2 elements".
std::string Counted(std::uint64_t number, std::string_view noun);

}  // namespace warplings
