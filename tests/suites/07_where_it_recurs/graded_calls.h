// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "grader/suite/judge.h"

namespace warplings {

/// The long calls whose costs are graded. Several tests grade the same calls, each by a limit of its own:
/// a call is made for the first of these tests and serves the others, too.
template <class Evidence>
class GradedCalls {
 public:
  /// The evidence of call number `call`, as the running test's own. If there is none yet, `make` makes it;
  /// its inputs depend on the run's seed and the call's number only, whichever test is the first.
  template <class Make>
  Evidence Get(std::size_t call, const Message& title, const Make& make) {
    if (made_.size() <= call) made_.resize(call + 1);
    if (!made_[call]) {
      RandomValues random(SeedOfTest(Session().seed(), "graded call " + std::to_string(call)));
      made_[call] = make(random);
    }
    Evidence evidence = *made_[call];
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result.title = title;
    return evidence;
  }

 private:
  std::vector<std::optional<Evidence>> made_;
};

}  // namespace warplings
