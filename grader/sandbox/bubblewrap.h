// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/sandbox/policy.h"

namespace warplings::sandbox {

/// Numbers of the descriptors that only bwrap itself reads. They are higher than those that programs are
/// given.
inline constexpr int kStatusNumber = 100;
inline constexpr int kSeccompNumber = 101;
inline constexpr int kFirstDataNumber = 102;

/// bwrap's command line for a policy. `data_targets` are paths at which read-only files appear in the
/// sandbox; their texts are read from the descriptors kFirstDataNumber, kFirstDataNumber + 1, ….
std::vector<std::string> BubblewrapArguments(const std::filesystem::path& bwrap, const Policy& policy,
                                             const std::vector<std::string>& data_targets,
                                             const std::vector<std::string>& program);

/// Finds bwrap on PATH or in /usr/bin. The grader error says how to install it.
Result<std::filesystem::path> FindBubblewrap();

/// Turns what bwrap printed into a grader error for a sandbox that could not be set up. The next step fits
/// this machine, because user namespaces are forbidden for different reasons on different systems.
Error ExplainSetupFailure(const std::string& bwrap_output);

}  // namespace warplings::sandbox
