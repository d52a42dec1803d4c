// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/misconception.h"
#include "grader/core/test_result.h"

namespace warplings {

/// The same finding of several tests, shown once. The first test's block and thread are kept, the counts
/// are added up.
struct MergedFinding {
  Finding finding;
  std::size_t tests = 1;
};

struct FindingGroup {
  SourceLine where;
  std::vector<MergedFinding> findings;  ///< Errors first, else in the order in which they were seen.
};

/// All findings of a run by source line: lines with an error first, then by file and line.
std::vector<FindingGroup> GroupFindings(const std::vector<TestResult>& tests);

/// Of these the ones that were seen in one of `seen_in`, which are some of `tests`.
std::vector<FindingGroup> FindingsIn(const std::vector<const TestResult*>& seen_in,
                                     const std::vector<TestResult>& tests);

/// Of these the ones that a misconception may be about: those seen in a test that its evidence names. All of
/// them where it names no test. Advice about a race beside a line that has nothing to do with it sends the
/// reader astray.
std::vector<FindingGroup> FindingsBehind(const Misconception& misconception,
                                         const std::vector<TestResult>& tests);

}  // namespace warplings
