// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// The profile as a BPF program in a memory file, at its start: what bwrap's --seccomp reads.
Result<UniqueFd> MakeSeccompFilter(SeccompProfile profile);

}  // namespace warplings::sandbox
