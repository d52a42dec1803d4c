// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// `text` quoted so that a POSIX shell reads it as exactly one word, whatever it contains.
std::string ShellWord(std::string_view text);

/// The same, for a command that a person copies: quoted only if a shell would read it otherwise.
std::string TypedShellWord(const std::string& text);

/// `words` as a shell command line: each quoted, separated by spaces.
std::string ShellLine(const std::vector<std::string>& words);

}  // namespace warplings
