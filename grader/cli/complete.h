// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/cli/command.h"

namespace warplings {

/// The completions for the last of `words`, the words after the program's name: verbs, options, an option's
/// values, chapters and exercises. Empty if a file or free text is expected. Uses the same table as the
/// command line's parser, so the two always agree; the scripts for bash, zsh and fish only call this.
std::vector<std::string> Completions(const std::vector<Command>& commands,
                                     const std::vector<std::string>& words,
                                     const std::vector<std::string>& exercises);

/// Ids of the chapters and exercises of the user's current workbook; empty if there is none.
std::vector<std::string> NamesToComplete();

/// The manual page warplings(1), made from the same table: every verb with its options. ASCII only.
std::string ManualPage(const std::vector<Command>& commands);

}  // namespace warplings
