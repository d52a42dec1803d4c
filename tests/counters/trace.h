// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "grader/virtual_gpu/virtual_gpu.h"

namespace warplings::cli_test {

/// Runs a CUDA program on a virtual A100 and returns everything observable as one text: what it prints, its
/// exit status, findings, launches, and counts by kernel and instruction. The device runs in a thread of this
/// process. `toolkit_major` is the major version of the nvcc that compiled the program.
std::string TraceOf(const std::filesystem::path& program, const VirtualGpuOptions& options, int toolkit_major,
                    std::uint64_t max_warp_instructions);

}  // namespace warplings::cli_test
