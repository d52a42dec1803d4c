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

/// Whether what the kernel read was to come from another stream, which it did not wait for: `race` says so.
bool IsReadBeforeOtherStream(const Finding& read, const Finding& race);

/// Leaves out findings that follow from an earlier one: they vanish when that is mended.
std::vector<LeadingFinding> WithoutFollowers(std::vector<Finding> findings);

}  // namespace warplings
