// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// The text that a file of the workbook had when it was handed out: out of git, from the branch that this one
/// follows, or else the last commit. An error says why there is none.
Result<std::string> OriginalText(const std::filesystem::path& workbook_root,
                                 const std::filesystem::path& file);

/// Moves what the file holds to a name beside it that is free ("tiled_matmul.cu.bak", then "....bak2"),
/// writes `text` in its place, and returns that name; "" where there was no file.
Result<std::string> ReplaceKeepingBackup(const std::filesystem::path& file, const std::string& text);

}  // namespace warplings
