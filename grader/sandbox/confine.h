// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/base/result.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// Irrevocably takes from the calling process: the right to gain privileges, core dumps, and all system calls
/// that `profile` does not allow. The process must have only one thread when it calls this. It may map
/// `more_address_space` bytes beyond what it has mapped already; 0 leaves that limit unchanged. For our own
/// programs that read untrusted data; programs that are not ours run under a Policy. A grader error says
/// which step failed.
Status ConfineThisProcess(SeccompProfile profile, std::uint64_t more_address_space);

}  // namespace warplings::sandbox
