// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/result.h"

namespace warplings::cuda_gpu {

/// One of NVIDIA's tools ("compute-sanitizer", "ncu"): on PATH, in CUDA_HOME/bin, or in /usr/local/cuda/bin.
/// The error names it and says where it comes from.
Result<std::filesystem::path> FindTool(const std::string& name);

/// Writes an executable script `file` that runs `program` with the script's own arguments under a tool:
/// `command` is the tool and its options. It stands in for the device program where a device process is to
/// run under the tool.
Status WriteToolProgram(const std::filesystem::path& file, const std::vector<std::string>& command,
                        const std::filesystem::path& program);

}  // namespace warplings::cuda_gpu
