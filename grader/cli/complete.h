// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/cli/command.h"

namespace warplings {

/// What a shell may offer for the last of `words`, which follow the program's name: verbs, options, an
/// option's values, chapters and exercises. Nothing where a file is meant, or anything may come. It is read
/// from the same table as the command line, so it cannot be behind it; the scripts for bash, zsh and fish
/// only ask.
std::vector<std::string> Completions(const std::vector<Command>& commands,
                                     const std::vector<std::string>& words,
                                     const std::vector<std::string>& exercises);

/// Ids of chapters and exercises of the workbook that the user is in; none where there is none.
std::vector<std::string> NamesToComplete();

/// A manual page, warplings(1), of the same table: every verb with its options. In ASCII.
std::string ManualPage(const std::vector<Command>& commands);

}  // namespace warplings
