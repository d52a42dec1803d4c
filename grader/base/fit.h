// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

// Text that has to fit a terminal: no line is wider than `width` columns, whatever a submission calls its
// kernels. All texts must be safe to print already.

/// One line; what is too much gives way to "...".
std::string CutTo(std::string_view line, std::size_t width);

/// `text` broken at spaces, each line behind `indent` spaces; a word that is longer than a line is cut.
std::vector<std::string> WrappedLines(std::string_view text, std::size_t width, std::size_t indent);

/// AlignColumns, but where the table is too wide its last column is wrapped. Where that would leave less than
/// a few words' room, each row becomes a block of lines, "header  cell", under its first cell; the first row
/// holds the headers.
std::string AlignWithin(const std::vector<std::vector<std::string>>& rows, std::size_t indent,
                        std::size_t width);

}  // namespace warplings
