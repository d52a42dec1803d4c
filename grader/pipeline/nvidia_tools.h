// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "grader/suite/run_suite.h"

namespace warplings {

/// Runs the suite on a card once under each of compute-sanitizer's tools, without the virtual GPU. The tools'
/// findings are reported beside the grade and never change it. `on_stage` is called with the name of the
/// running tool.
std::vector<ToolReport> RunSanitizer(SuiteRequest request, const Layout& layout,
                                     const std::function<void(const Message&)>& on_stage);

/// The outcome of a run under ncu.
struct NcuRun {
  ToolReport report;  ///< Never has findings.
  std::vector<MeasuredCount> counts;
};

/// Runs the suite on a card under ncu, with each call on the virtual GPU first, and pairs the counts of both
/// by kernel.
NcuRun RunNcu(SuiteRequest request, const Layout& layout,
              const std::function<void(const Message&)>& on_stage);

}  // namespace warplings
