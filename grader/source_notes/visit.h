// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "grader/base/message.h"
#include "grader/core/exercise_result.h"

namespace warplings {

// What a result says: its messages, and those within them.

using Visitor = std::function<void(Message&)>;

/// The message, and then those within it.
void Visit(Message& message, const Visitor& visitor);

/// Those of tests, facts, misconceptions and the advice.
void VisitFindings(ExerciseResult& result, const std::function<void(Finding&)>& visitor);

/// Whatever a report says of the run. A message that stands in two places stays the same in both.
void Visit(ExerciseResult& result, const Visitor& visitor);

/// The same, and what explains wrong values.
void VisitWithExplanations(ExerciseResult& result, const Visitor& visitor);

/// What a finding says, before and after its arguments got names.
struct Renamed {
  Message before, after;
  bool is_ambiguous = false;  ///< Arguments of two kernels have different names.
};

/// Adds what a finding says now; if nothing changed, nothing.
void Remember(const Message& before, const Message& after, std::vector<Renamed>& renamed);

/// Gives the message its new words, if it has any.
void Rename(Message& message, const std::vector<Renamed>& renamed);

/// The same of whatever a report says of the run.
void Rename(ExerciseResult& result, const std::vector<Renamed>& renamed);

}  // namespace warplings
