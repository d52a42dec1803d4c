// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/base/result.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// Takes from the calling process, which must still have one thread, for ever: new privileges, core dumps,
/// and the system calls that `profile` does not have. With `more_address_space` it may map so many bytes
/// beyond what it has mapped already; 0: as many as before. For programs of ours that read what others wrote;
/// a program that is not ours gets a Policy. A grader error says which step failed.
Status ConfineThisProcess(SeccompProfile profile, std::uint64_t more_address_space);

}  // namespace warplings::sandbox
