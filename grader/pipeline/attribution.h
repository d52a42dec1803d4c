// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "grader/judge/run_suite.h"

namespace warplings {

/// Whether the grader itself failed: the whole suite, or a test of it.
bool HasGraderFault(const Result<SuiteOutcome>& run);

/// Whose fault it was that the grader failed while it served a submission. A fault that comes once is the
/// machine's, and the second run counts. One that comes again although the solution passes here, right after
/// it, is the submission's doing: such tests get the verdict `finding`, so that no submission can call up
/// "not graded" at will. Where the solution fails too, or there is none, it stays the grader's.
///
/// `first`: what came of the submission. `again` runs it once more, `solution` the solution with the same
/// seed and device; nothing where the workbook has none. Neither is called where the grader did not fail.
Result<SuiteOutcome> AttributeFaults(Result<SuiteOutcome> first,
                                     const std::function<Result<SuiteOutcome>()>& again,
                                     const std::function<std::optional<Result<SuiteOutcome>>()>& solution);

}  // namespace warplings
