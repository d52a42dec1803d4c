// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/core/finding.h"

namespace warplings::cuda_gpu {

/// Parses the log of compute-sanitizer (memcheck, racecheck, initcheck or synccheck; text as of CUDA 13.0).
/// Errors of the same kind at the same lines are merged, like the virtual GPU's findings. A record of unknown
/// form becomes a finding with the tool's own words. Errors that CUDA calls return afterwards are left out,
/// because they only repeat that something went wrong. Source files keep the tool's name for them, which has
/// no folder.
std::vector<Finding> ReadSanitizerLog(std::string_view log);

}  // namespace warplings::cuda_gpu
