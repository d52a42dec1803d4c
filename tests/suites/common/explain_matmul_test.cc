// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/explain_matmul.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplings {
namespace {

/// A call of 1 x 2 times 2 x 2 with these elements of P; right are 3 and 7.
struct Call {
  std::vector<float> m = {1, 1}, n = {1, 3, 2, 4}, p;
  TestResult result;

  Call(std::vector<float> values, Verdict verdict) : p(std::move(values)) {
    result.verdict = verdict;
    result.wrong_count = (p.at(0) != 3) + (p.at(1) != 7);
  }
  MatmulTest Test(const char* name) const { return {name, {1, 2, 2}, &result, m, n, p}; }
};

TEST(TestWithWrongFirstTest, ATestIsPassedOverWhoseFirstElementIsRight) {
  const Call second_wrong({3, 8}, Verdict::kWrongResult), both_wrong({2, 8}, Verdict::kWrongResult),
      passed({3, 7}, Verdict::kPassed);
  const std::vector<MatmulTest> tests = {passed.Test("Passed"), second_wrong.Test("Second"),
                                         both_wrong.Test("Both"), both_wrong.Test("Last")};
  EXPECT_EQ(TestWithWrongFirst(tests, tests[1]).test, "Both");
  EXPECT_EQ(TestWithWrongFirst(tests, tests[3]).test, "Last");
  const std::vector<MatmulTest> alike = {second_wrong.Test("One"), second_wrong.Test("Two")};
  EXPECT_EQ(TestWithWrongFirst(alike, alike[0]).test, "One") << "none is like that";
}

/// What such a test's own advice says of the access comes first.
TEST(TestWithWrongFirstTest, ATestWithAFindingStays) {
  const Call outside({3, 8}, Verdict::kFinding), both_wrong({2, 8}, Verdict::kWrongResult);
  const std::vector<MatmulTest> tests = {outside.Test("Outside"), both_wrong.Test("Both")};
  EXPECT_EQ(TestWithWrongFirst(tests, tests[0]).test, "Outside");
}

}  // namespace
}  // namespace warplings
