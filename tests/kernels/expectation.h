// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/finding.h"

namespace warplings::kernels_test {

/// One finding that a program must give. Members that are not set are not compared.
struct ExpectedFinding {
  Severity severity = Severity::kError;
  FindingKind kind = FindingKind::kOutOfBounds;
  std::optional<int> line;   ///< Line in the program's own file.
  std::optional<int> other;  ///< Line of the other access or barrier.
  std::optional<Access> access;
  std::optional<std::string> object;
};

/// Parses the expectations in the first comment of a program below checks/, one per line:
///
///     // finding: race, line 23, other 17, access write, object "shared array `tile`"
///     // warning: barrier_after_exit, line 9
///     // clean
///
/// Two lines without an access match in either order, because the scheduler decides which comes first. There
/// must be either `clean` or at least one finding.
Result<std::vector<ExpectedFinding>> ParseExpectation(const std::string& source);

/// Describes the findings that were not expected and the expectations that were not met; empty if each
/// finding matches exactly one expectation. `file` is the program's source.
std::string CompareFindings(const std::vector<ExpectedFinding>& expected, const std::vector<Finding>& found,
                            const std::filesystem::path& file);

}  // namespace warplings::kernels_test
