// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// The sentences below "Graded besides the values:" in a contract header's comment, one for each "- "; empty
/// where there is no such part.
std::vector<std::string> GradedInHeader(const std::string& header);

/// The sentences that a suite says of itself (GradedBy in grader/suite/judge.h).
Result<std::vector<std::string>> GradedInSuite(const std::filesystem::path& suite_program);

/// What is in one of them and not in the other, a sentence each: a contract must say all that is graded, and
/// nothing else.
std::vector<std::string> DifferencesInGrading(const std::vector<std::string>& header,
                                              const std::vector<std::string>& suite);

}  // namespace warplings
