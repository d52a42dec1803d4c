// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"

namespace warplings {

/// Runs a trusted tool, found on PATH or by its path, with our standard streams; waits for it and returns its
/// exit status. Returns an Error if it could not be started (with `next_step`) or was ended by a signal.
/// Programs of a submission run in the sandbox instead.
Result<int> RunProgram(const std::vector<std::string>& command, const Message& next_step = {});

/// Runs one of our scripts that render pages (Python with Jinja2). The script prints its own error messages;
/// returns an Error if its exit status is not 0.
Status RunPageScript(const Layout& layout, const std::filesystem::path& script,
                     const std::vector<std::string>& arguments);

}  // namespace warplings
