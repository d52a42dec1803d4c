// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// Descriptors under which bwrap finds what only it needs. They lie above what programs are given.
inline constexpr int kStatusNumber = 100;
inline constexpr int kSeccompNumber = 101;
inline constexpr int kFirstDataNumber = 102;

/// bwrap's command line for a policy. `data_targets` are files whose text stands behind the
/// descriptors kFirstDataNumber, kFirstDataNumber + 1, …; they appear read-only at these paths.
std::vector<std::string> BubblewrapArguments(const std::filesystem::path& bwrap, const Policy& policy,
                                             const std::vector<std::string>& data_targets,
                                             const std::vector<std::string>& program);

/// bwrap on PATH or in /usr/bin; a grader error that says how to install it.
Result<std::filesystem::path> FindBubblewrap();

/// A grader error for a sandbox that could not be set up, from what bwrap printed; the next step is
/// the one for this machine (a forbidden user namespace has different reasons on different systems).
Error ExplainSetupFailure(const std::string& bwrap_output);

}  // namespace warplings::sandbox
