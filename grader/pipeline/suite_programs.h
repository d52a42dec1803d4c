// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// Brings up to date what judges these exercises: their suites and call stubs. A first check would wait a
/// minute longer if it had to build those of all chapters, so the launcher leaves them out and builds them
/// when this asks for them. Nothing is done, and no time spent, where they are as young as the rest of the
/// launcher's build, and in a tree that it did not build: there, whoever builds names what is wanted.
Status BuildSuites(const std::vector<const Exercise*>& exercises, const Layout& layout,
                   const std::filesystem::path& launcher = ThisLayout().root / "warplings");

}  // namespace warplings
