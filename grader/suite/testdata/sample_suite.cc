// SPDX-License-Identifier: Apache-2.0
//
// A suite program for judge_test.cc, with tests that record results and tests that fail by themselves. None
// of them calls a submission.
#include <gtest/gtest.h>

#include <stdexcept>

#include "grader/suite/device_work.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

TEST(Sample, RecordsAVerdict) {
  TestResult result;
  result.title =
      "seed " + std::to_string(Session().seed()) + ", first number " + std::to_string(TestRandom().Next());
  result.verdict = Verdict::kPassed;
  TestResult limited = result;
  AddVerdict(limited, Verdict::kWrongResult, "7 loads", "");
  BrokenLimits().Note("loads", result, limited);
  BrokenLimits().Note("stores", result, result);
  RecordResult(result);
}

TEST(Sample, RecordsNothing) {}

TEST(Sample, FailsByItself) {
  RecordResult({});
  EXPECT_EQ(1, 2);
}

TEST(Sample, Throws) {
  RecordResult({});
  throw std::runtime_error("thrown");
}

TEST(Sample, BreaksItsOwnRule) {
  const CallReport report = Session().Call(
      {InputArray("starts", std::vector<int>{0, 2, 7}, OtherElements::EachAlone(), {Must<int>::NotFall()}),
       OutputArray<int>("ends", 3)},
      1,
      [](Worker&, std::span<const DevicePointer>) -> CallOutcome { throw std::logic_error("no call is made"); });
  RecordResult(ResultOf("", report));
}

const bool states_facts = StateFactsWith([] { return std::vector<Fact>{{"known", "all"}}; });

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  return warplings::RunJudge(argc, argv);
}
