// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

struct FdMove {
  int from = -1;
  int to = -1;
};

/// Starts `arguments` with exactly the descriptors in `moves`, the policy's resource limits, default
/// signal dispositions and an empty signal mask. `arguments[0]` is a path. An Error says that the
/// program could not be executed at all.
Result<pid_t> Launch(const std::vector<std::string>& arguments, const std::vector<FdMove>& moves,
                     const Limits& limits);

}  // namespace warplings::sandbox
