// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// A finding, and how many others have the same cause.
struct LeadingFinding {
  Finding finding;
  std::size_t followers = 0;
};

/// Leaves out findings that follow from an earlier one: they vanish when that is mended.
std::vector<LeadingFinding> WithoutFollowers(std::vector<Finding> findings);

}  // namespace warplings
