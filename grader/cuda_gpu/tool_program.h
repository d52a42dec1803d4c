// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings::cuda_gpu {

/// Writes an executable script `file` that runs `program` with the script's own arguments under a tool:
/// `command` is the tool and its options. It stands in for the device program where a device process is to
/// run under the tool.
Status WriteToolProgram(const std::filesystem::path& file, const std::vector<std::string>& command,
                        const std::filesystem::path& program);

}  // namespace warplings::cuda_gpu
