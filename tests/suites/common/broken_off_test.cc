// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/broken_off.h"

#include <gtest/gtest.h>

#include "grader/messages/host_code.h"

namespace warplings {
namespace {

TEST(BrokenOff, TheQuestionOfACrash) {
  TestResult result;
  result.verdict = Verdict::kCrashed;
  result.reason = say::ended_by_signal("SIGFPE");
  result.next_step = say::look_for_division_by_zero();
  NameQuestion("t4, 1 thread", result);
  EXPECT_EQ(English(result.reason), "The host code crashed with SIGFPE. The question was: t4, 1 thread.");
  EXPECT_TRUE(English(result.next_step)
                  .ends_with("which size is 0? Work it out by hand for the question t4, 1 thread."))
      << result.next_step;
}

TEST(BrokenOff, NoQuestionOfAnotherEnd) {
  TestResult result;
  result.verdict = Verdict::kWrongResult;
  result.reason = "your function gets 1 of 2 answers wrong";
  NameQuestion("t4, 1 thread", result);
  EXPECT_EQ(English(result.reason), "your function gets 1 of 2 answers wrong");
  result.verdict = Verdict::kTimeLimit;
  NameQuestion("t4, 1 thread", result);
  EXPECT_EQ(result.next_step, Message()) << "there was no advice before";
}

}  // namespace
}  // namespace warplings
