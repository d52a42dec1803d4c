// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/build/toolchain.h"
#include "grader/core/layout.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// One thing that must work on this machine, and whether it does: what `doctor` prints.
struct HealthRow {
  enum class State {
    kOk,
    kWarn,  ///< Works, but worse than it could.
    kFail,  ///< Nothing can be checked until this is mended.
  };
  std::string name;
  State state = State::kOk;
  std::string detail;     ///< What was found.
  std::string next_step;  ///< Empty when ok.
};

/// bubblewrap, user namespaces and the system call filter, found out by running a program in the sandbox.
std::vector<HealthRow> CheckSandbox();
/// nvcc, ptxas, the host compiler and the static libraries, each really run; inside the sandbox.
std::vector<HealthRow> CheckCompilers(const std::filesystem::path& root,
                                      const ConfiguredToolchain& configured = ThisTreesToolchain());
/// The cache folder: a warning at most, since builds work without.
HealthRow CheckCache();
/// The built tree: every part that a check of these exercises needs is there and not older than its source.
HealthRow CheckBuiltTree(const Layout& layout, const Workbook& workbook);

}  // namespace warplings
