// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// What a report of a failed run says first, and what it shows beside it. Advise (grader/advice/advise.h)
/// writes it; only a slip that the source shows comes before (grader/source_notes/source_notes.h). Reports,
/// pages and editors only read it. The words are in the result itself: in `misconceptions`, or in `next_step`
/// where no misconception comes first.
struct Advice {
  /// Id of the misconception that comes first. Empty: the result's next step does, if there is one.
  std::string misconception;
  std::string test;  ///< Name of the failing test that the advice is about; empty if no test failed.
  /// The finding to show beside the advice: the one that it is about, with the accesses of all tests counted
  /// together. Missing where the advice is about something else, because a reader would take any other
  /// finding for what is meant.
  std::optional<Finding> finding{};
  std::vector<std::string> later{};  ///< Ids of the misconceptions to look at after that, in order.
};

}  // namespace warplings
