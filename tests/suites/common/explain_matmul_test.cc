// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/explain_matmul.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/messages/product_facts.h"
#include "tests/suites/common/explain_linear.h"

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

/// 3 x 18 times 18 x 4 in tiles of 16: the block's rows from 3 on have no element of P.
TEST(AreOfIdleThreadsTest, ExactlyTheProductsOfThreadsWithoutAnElement) {
  const MatmulShape shape{3, 18, 4};
  std::vector<int> from_3;
  for (int i = 3; i < 16; ++i) from_3.push_back(i);
  EXPECT_TRUE(AreOfIdleThreads(from_3, shape, 0, 16));
  EXPECT_FALSE(AreOfIdleThreads(from_3, shape, 0, 8)) << "i = 8 is of a thread with an element";
  EXPECT_FALSE(AreOfIdleThreads(from_3, shape, 0, 0));
  EXPECT_FALSE(AreOfIdleThreads({16, 17}, shape, 0, 16)) << "a last phase that is missing";
  EXPECT_TRUE(AreOfIdleThreads({4, 5, 6, 7}, {20, 10, 4}, 0, 8)) << "of columns";
  EXPECT_TRUE(AreOfIdleThreads({4, 5, 6, 7}, {20, 10, 20}, 16 * 20, 8)) << "in the last row of tiles";
  EXPECT_FALSE(AreOfIdleThreads({4, 5, 6, 7}, {20, 10, 20}, 0, 8));
  EXPECT_FALSE(AreOfIdleThreads({4, 5, 6, 7}, {20, 8, 4}, 0, 8)) << "i < 4 is another check, perhaps";
}

TEST(StoredAgainAndNeverTest, MoreIsStoredThanIsThere) {
  const Message places = say::values_unstored_from("P", say::at_row(175), say::at_row(176), "P[176][0]");
  EXPECT_EQ(
      English(StoredAgainAndNever(places, 9000, 5480, 3520 * 4 + 4)),
      "Threads store some elements of P more than once, and others never: P is right up to row 175, and "
      "nothing is stored from row 176 on. Which elements do two neighbouring blocks both store?");
  EXPECT_TRUE(StoredAgainAndNever(places, 9000, 5480, 3520 * 4).empty());
  const Message zeros =
      say::values_wrong_from("P", say::at_row(175), say::at_row(176), say::held_zero(), "P[176][0]");
  EXPECT_TRUE(StoredAgainAndNever(zeros, 9000, 5480, 9000 * 4).empty());
}

/// 40 elements, 8 warps: lanes 8 to 31 of the first warp keep what they hold.
TEST(LanesOfEarlierStepTest, ExactlyTheLanesWithoutAWarp) {
  const auto place = [](std::size_t index) { return "[" + std::to_string(index) + "]"; };
  const LinearContract contract{"n = 40", "X", "sums", 40, place, place, [](std::size_t) {
                                  std::vector<ElementIndex> all;
                                  for (ElementIndex i = 0; i < 40; ++i) all.push_back(i);
                                  return all;
                                }};
  const auto facts = [&](ElementIndex first, ElementIndex last, unsigned threads) {
    ProbeResult probed;
    probed.formulas.emplace_back();
    probed.formulas[0].known = true;
    for (ElementIndex i = 0; i < 40; ++i)
      probed.formulas[0].terms.push_back({i, kNoElement, i >= first && i <= last ? 2 + i : 1});
    std::vector<std::string> said;
    for (const Message& each : LanesOfEarlierStep(contract, probed, {threads, 1, 1}))
      said.push_back(English(each));
    return said;
  };
  EXPECT_EQ(facts(8, 31, 256),
            (std::vector<std::string>{
                "X[8] to X[31] are added to sums[0] more than once.",
                "When the first warp adds the sums of the 8 warps, its lanes 8 to 31 still hold sums of the "
                "step before. Which value should these lanes hold before that step?"}));
  EXPECT_TRUE(facts(8, 31, 512).empty());
  EXPECT_TRUE(facts(9, 31, 256).empty());
  EXPECT_TRUE(facts(8, 32, 256).empty());
  EXPECT_TRUE(facts(8, 31, 32).empty());
}

}  // namespace
}  // namespace warplings
