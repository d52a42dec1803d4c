// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "grader/core/test_result.h"
#include "tests/suites/messages.h"

namespace warplings {

/// Says what was asked in the call that made the function crash or go on for too long: a test asks many
/// questions, and its title tells only what they have in common. Leaves what ended in another way.
template <class Result>
void NameQuestion(const Message& question, Result& result) {
  if (result.verdict != Verdict::kCrashed && result.verdict != Verdict::kTimeLimit) return;
  result.reason = say::broke_off_when_asked(result.reason, question);
  if (!result.next_step.empty()) result.next_step = say::try_the_question(result.next_step, question);
}

}  // namespace warplings
