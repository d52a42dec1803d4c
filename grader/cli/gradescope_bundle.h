// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "grader/core/class_grades.h"

namespace warplings {

/// Packs the results below `out`, which `warplings grade` wrote, as an autograder in `file`. A dry run prints
/// whose score differs from that in the `file` that is there, and writes nothing. Returns an exit status: 1
/// if a dry run found a difference.
int PackGradedForGradescope(const std::filesystem::path& out, const std::filesystem::path& file,
                            bool dry_run);

/// Names the groups whose members have different points, which Gradescope does not know. True if there is
/// one.
bool WarnOfUnequalGroups(const ClassGrades& grades);

}  // namespace warplings
