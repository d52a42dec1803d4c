// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings::cuda_gpu {

/// Writes an executable script `file` that runs `program`, with the script's arguments, under a tool;
/// `command` is the tool with its options. The script is used in place of the device program to run a device
/// process under the tool.
Status WriteToolProgram(const std::filesystem::path& file, const std::vector<std::string>& command,
                        const std::filesystem::path& program);

}  // namespace warplings::cuda_gpu
