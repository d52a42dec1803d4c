// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/build/toolchain.h"
#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// One line of what `doctor` prints: something that must work on this machine, and whether it does.
struct HealthRow {
  enum class State {
    kOk,
    kWarn,  ///< Works, but worse than it could.
    kFail,  ///< No submission can be checked until this is repaired.
  };
  std::string name;
  State state = State::kOk;
  Message detail;     ///< What was found.
  Message next_step;  ///< Empty when ok.
};

/// Checks bubblewrap, user namespaces and the system call filter by running a program in the sandbox.
std::vector<HealthRow> CheckSandbox();
/// Checks nvcc, ptxas, the host compiler and the static libraries by running or linking them inside the
/// sandbox.
std::vector<HealthRow> CheckCompilers(const std::filesystem::path& root,
                                      const ConfiguredToolchain& configured = ThisTreesToolchain());
/// Checks the cache folder. Gives a warning at most, because builds work without it.
HealthRow CheckCache();
/// Checks that every built file that these exercises need exists and is not older than its source.
HealthRow CheckBuiltTree(const Layout& layout, const Workbook& workbook);

}  // namespace warplings
