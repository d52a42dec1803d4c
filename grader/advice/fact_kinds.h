// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/core/exercise_result.h"
#include "grader/core/finding.h"

namespace warplings {

/// The kind of finding that a fact is about, for a fact that shows none (ShowFinding): the kind whose name
/// is among the words of its id, as in `race_in_shared`; "outside" stands for out_of_bounds.
std::optional<FindingKind> KindOfFact(std::string_view id);

/// The kind of the finding that shows the misconception, or else of the fact behind it. Call after
/// GiveTitles.
std::optional<FindingKind> KindBehind(const Misconception& cause, const ExerciseResult& result);

}  // namespace warplings
