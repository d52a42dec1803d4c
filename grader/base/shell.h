// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// `text` as one word of a POSIX shell's, whatever is in it.
std::string ShellWord(std::string_view text);

/// Words as a shell's line, with blanks between them.
std::string ShellLine(const std::vector<std::string>& words);

}  // namespace warplings
