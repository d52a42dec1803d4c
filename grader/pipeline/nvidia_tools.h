// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "grader/judge/run_suite.h"

namespace warplings {

/// Runs the suite on a card once under each of compute-sanitizer's tools, without the virtual GPU. What the
/// tools find is told beside the grade and never changes it. `on_stage` hears which tool runs.
std::vector<ToolReport> RunSanitizer(SuiteRequest request, const Layout& layout,
                                     const std::function<void(const std::string&)>& on_stage);

/// What ncu is to measure while the suite runs, and what came of it.
struct NcuRun {
  ToolReport report;  ///< Its findings stay empty.
  std::vector<MeasuredCount> counts;
};

/// Runs the suite on a card under ncu, each call on the virtual GPU first, and puts both sides' counts next
/// to each other, kernel by kernel.
NcuRun RunNcu(SuiteRequest request, const Layout& layout,
              const std::function<void(const std::string&)>& on_stage);

}  // namespace warplings
