// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// Who may read a file that we make.
enum class NewFileAccess {
  kUsual,  ///< As the user's umask says, like any new file.
  kOwner,  ///< Its owner alone, from the first byte on.
};

/// Writes `text` to `path` atomically: a concurrent reader sees either the old file or the whole new one, and
/// so does everybody after an interruption or when the disk is full. Anything that is not a regular file
/// (/dev/stdout, a pipe) is written to directly. A folder that does not exist or is not writable is a usage
/// error.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text,
                           NewFileAccess access = NewFileAccess::kUsual);

}  // namespace warplings
