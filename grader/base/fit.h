// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

// Fits text to the width of a terminal: no line gets wider than `width` columns, however long a submission
// makes the names of its kernels. All input must already be safe to print (Printable() in text.h).

/// `line` cut to `width` columns; "..." takes the place of what was cut off.
std::string CutTo(std::string_view line, std::size_t width);

/// The end of `path`, which may be "FILE:LINE", in `width` columns; "..." takes the place of its first
/// folders, and of the begin of the file's name where that alone is too wide.
std::string CutPathTo(std::string_view path, std::size_t width);

/// `text` broken at spaces into lines, each indented by `indent` spaces. A word that is longer than a line is
/// cut; a path loses its front.
std::vector<std::string> WrappedLines(std::string_view text, std::size_t width, std::size_t indent);

/// Like AlignColumns, but wraps the last column of a table that is too wide, at commas if possible. What
/// would take more than two lines there stands below its row. If the last column would have room for only a
/// few words, each row becomes a block of lines "header cell" below its first cell. The first row holds the
/// headers. A last column of code is cut instead: broken at its blanks, a short line of it would be hard to
/// read.
enum class LastColumn { kWords, kCode };
std::string AlignWithin(const std::vector<std::vector<std::string>>& rows, std::size_t indent,
                        std::size_t width, LastColumn last = LastColumn::kWords);

}  // namespace warplings
