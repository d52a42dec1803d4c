// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"

namespace warplings {

struct Pipe {
  UniqueFd read, write;
};

/// A pipe whose ends programs do not inherit, unless an end is duplicated for them. A grader error if no
/// descriptor is left.
Result<Pipe> MakePipe();

}  // namespace warplings
