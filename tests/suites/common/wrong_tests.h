// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/suite/suite_messages.h"

namespace warplings {

/// Full names of the tests of this program that had a wrong answer, in their order.
inline std::vector<std::string>& TestsWithWrongAnswers() {
  static std::vector<std::string> names;
  return names;
}

/// Its name without the suite's.
inline std::string RunningTest() {
  return testing::UnitTest::GetInstance()->current_test_info()->name();
}

/// "Suite.Name" of the running test.
inline std::string FullNameOfRunningTest() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test.test_suite_name()) + "." + test.name();
}

/// Records that the running test had a wrong answer.
inline void NoteWrongAnswers() {
  TestsWithWrongAnswers().push_back(FullNameOfRunningTest());
}

/// For ExplainWith: the advice of the first such test; nothing where there is none.
inline std::vector<Explained> AdviseFirstOfWrong(const Message& advice) {
  if (advice.empty() || TestsWithWrongAnswers().empty()) return {};
  Explanation explanation;
  explanation.facts = {advice};
  return {{TestsWithWrongAnswers().front(), explanation, advice}};
}

}  // namespace warplings
