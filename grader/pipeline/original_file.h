// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// The text of a file of the workbook as it was handed out, whatever was written into it since. That is the
/// version in the list of starters: the file's own, or that of a commit which still has it. A file that is
/// not listed is taken from the upstream branch of the current one, or else from the last commit; in an
/// installed tree it is what is there. An error says why it cannot be found.
Result<std::string> OriginalText(const std::filesystem::path& workbook_root,
                                 const std::filesystem::path& file);

/// Renames the file to an unused name ("tiled_matmul.cu.bak", then "....bak2"), writes `text` in its place,
/// and returns the backup's name; "" if there was no file.
Result<std::string> ReplaceKeepingBackup(const std::filesystem::path& file, const std::string& text);

}  // namespace warplings
