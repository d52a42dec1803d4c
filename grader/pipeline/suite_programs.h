// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Builds the suites and call stubs of these exercises if they are out of date. Building those of all
/// chapters would make the first check a minute longer, so the launcher builds them only when this function
/// runs it. Does nothing, at no cost, if they are as recent as the launcher's last build, or if the launcher
/// did not build this tree: then whoever builds the tree selects the targets.
Status BuildSuites(const std::vector<const Exercise*>& exercises, const Layout& layout,
                   const std::filesystem::path& launcher = ThisLayout().root / "warplings");

}  // namespace warplings
