// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// The sentences below "Graded besides the values:" in a contract header's comment, one for each "- "; empty
/// if there is no such section.
std::vector<std::string> GradedInHeader(const std::string& header);

/// The sentences that a suite registers (GradedBy in grader/suite/judge.h).
Result<std::vector<std::string>> GradedInSuite(const std::filesystem::path& suite_program);

/// The differences between the two, one sentence each: a contract must state everything that is graded, and
/// nothing else.
std::vector<std::string> DifferencesInGrading(const std::vector<std::string>& header,
                                              const std::vector<std::string>& suite);

}  // namespace warplings
