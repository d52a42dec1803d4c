// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/finding.h"

namespace warplings::kernels_test {

/// One finding that a program must give. What is not stated is not compared.
struct ExpectedFinding {
  Severity severity = Severity::kError;
  FindingKind kind = FindingKind::kOutOfBounds;
  std::optional<int> line;   ///< Of the program's own file.
  std::optional<int> other;  ///< Line of the other access or barrier.
  std::optional<Access> access;
  std::optional<std::string> object;
};

/// What the first comment of a program below checks/ states, one line each, in any number:
///
///     // finding: race, line 23, other 17, access write, object "shared array tile"
///     // warning: barrier_after_exit, line 9
///     // clean
///
/// Of two lines without an access, either order matches: which comes first is the scheduler's choice.
/// `clean` and findings exclude each other, and one of them must be there.
Result<std::vector<ExpectedFinding>> ParseExpectation(const std::string& source);

/// What of `found` was not expected, and what of `expected` was not found; empty where each finding is
/// matched by exactly one expectation. `file` is the program's source.
std::string CompareFindings(const std::vector<ExpectedFinding>& expected, const std::vector<Finding>& found,
                            const std::filesystem::path& file);

}  // namespace warplings::kernels_test
