// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// Writes `text` to `path` so that a reader, an interruption or a full disk meets the old file or the new
/// one, never a piece. What is no ordinary file (/dev/stdout, a pipe) is written to directly. A folder that
/// does not exist or may not be written is a usage error.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text);

}  // namespace warplings
