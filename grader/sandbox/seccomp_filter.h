// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// Compiles the profile to a BPF program in a memory file, positioned at its start, for bwrap's --seccomp.
Result<UniqueFd> MakeSeccompFilter(SeccompProfile profile);

}  // namespace warplings::sandbox
