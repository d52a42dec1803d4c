// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "grader/suite/run_suite.h"

namespace warplings {

/// True if the grader itself failed, in the whole suite or in one of its tests.
bool HasGraderFault(const Result<SuiteOutcome>& run);

/// Decides who is to blame when the grader failed while it ran a submission. If the fault does not occur
/// again, the machine is to blame, and the second run counts. If it does, although the solution passes here
/// right afterwards, the submission caused it: such tests get the verdict `finding`, so that a submission
/// cannot provoke "not graded" deliberately. If the solution fails, too, or there is none, the grader stays
/// to blame.
///
/// `first` is the outcome of the submission. `again` runs it once more. `solution` runs the solution with the
/// same seed and device, and returns nothing if the workbook has none. Neither is called if the grader did
/// not fail.
Result<SuiteOutcome> AttributeFaults(Result<SuiteOutcome> first,
                                     const std::function<Result<SuiteOutcome>()>& again,
                                     const std::function<std::optional<Result<SuiteOutcome>>()>& solution);

}  // namespace warplings
