// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"

namespace warplings {

/// Runs one of our own tools, found on PATH or by its path, with our standard streams; waits, and returns its
/// exit status. An Error, with `next_step`, where it could not be run to its end. For programs that we trust:
/// a submission's go through the sandbox.
Result<int> RunProgram(const std::vector<std::string>& command, const std::string& next_step = {});

/// Runs a script of ours that draws pages (Python with Jinja2). It prints its own complaints; an Error if its
/// exit status is not 0.
Status RunPageScript(const Layout& layout, const std::filesystem::path& script,
                     const std::vector<std::string>& arguments);

}  // namespace warplings
