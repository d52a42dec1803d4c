// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/test_result.h"

namespace warplings {

/// A finding that several tests share, shown once: with the first test's block and thread, and the sum of the
/// counts.
struct MergedFinding {
  Finding finding;
  std::size_t tests = 1;
};

struct FindingGroup {
  SourceLine where;
  std::vector<MergedFinding> findings;  ///< Errors first, then in order of occurrence.
};

/// Groups all findings of a run by source line. Lines with an error come first; then sorted by file and line.
std::vector<FindingGroup> GroupFindings(const std::vector<TestResult>& tests);

/// The same, but only with findings that occurred in one of `seen_in`, a subset of `tests`.
std::vector<FindingGroup> FindingsIn(const std::vector<const TestResult*>& seen_in,
                                     const std::vector<TestResult>& tests);

/// The same, but only with that finding.
std::vector<FindingGroup> GroupsOf(const Finding& finding, const std::vector<TestResult>& tests);

}  // namespace warplings
