// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// The original text of a file of the workbook: from git, from the upstream branch of the current one, or
/// otherwise the last commit. An error says why it cannot be found.
Result<std::string> OriginalText(const std::filesystem::path& workbook_root,
                                 const std::filesystem::path& file);

/// The text of a starter of this program's own tree as the list of starters has it, whatever was written into
/// the file since: the file's own, or that of the commit which still has it. An installed tree has no such
/// list, and its starters are what was installed.
Result<std::string> UnchangedStarter(const std::filesystem::path& root, const std::filesystem::path& file);

/// Renames the file to an unused name ("tiled_matmul.cu.bak", then "....bak2"), writes `text` in its place,
/// and returns the backup's name; "" if there was no file.
Result<std::string> ReplaceKeepingBackup(const std::filesystem::path& file, const std::string& text);

}  // namespace warplings
