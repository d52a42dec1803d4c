// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/core/finding.h"

namespace warplings::cuda_gpu {

/// Reads what compute-sanitizer wrote to its log (memcheck, racecheck, initcheck or synccheck; text as of
/// CUDA 13.0). Faults of one kind at the same lines are folded, as the virtual GPU's are. A record that is of
/// no known form becomes a finding with the tool's own words; errors that CUDA calls return afterwards are
/// left out, they only repeat that something went wrong. Source files keep the name that the tool gives,
/// which has no folder.
std::vector<Finding> ReadSanitizerLog(std::string_view log);

}  // namespace warplings::cuda_gpu
