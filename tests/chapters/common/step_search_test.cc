// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/common/step_search.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warplings::step_search {
namespace {

/// x: doubled and then raised by one; wrong: squared, tripled; not raised, raised by ten.
const Calculation<int, int> kSmall = {{{{"squared", "x squared"}, {"tripled", "x tripled"}},
                                       {{"not_raised", "nothing added"}, {"tripled", "ten added"}}},
                                      [](const int& x, const Versions& v) {
                                        const int first = v[0] == 1 ? x * x : v[0] == 2 ? 3 * x : 2 * x;
                                        return first + (v[1] == 1 ? 0 : v[1] == 2 ? 10 : 1);
                                      }};

std::optional<Explanation> Explained(const std::vector<std::pair<int, int>>& answers) {
  return Explain(kSmall, answers, std::equal_to<>());
}

std::vector<std::string> Ids(const std::optional<Explanation>& explanation) {
  std::vector<std::string> ids;
  for (const Recognised& each : Name(explanation, "numbers")) ids.push_back(each.id);
  return ids;
}

using Names = std::vector<std::string>;

TEST(StepSearch, RightAnswersNeedNoExplanation) {
  EXPECT_FALSE(Explained({{1, 3}, {5, 11}}));
  EXPECT_FALSE(Explained({}));
}

TEST(StepSearch, OneMistakeAndTwo) {
  EXPECT_EQ(Ids(Explained({{1, 2}, {5, 26}})), Names{"squared"});
  EXPECT_EQ(Ids(Explained({{1, 1}, {5, 25}})), (Names{"squared", "not_raised"}));
  EXPECT_EQ(Evidence(*Explained({{1, 1}, {5, 25}}), "numbers"),
            "all 2 numbers follow from this: x squared; nothing added");
}

/// 2 x 2 + ... is 2 squared and ...: for this x nobody can tell the two apart.
TEST(StepSearch, WhatIsNotCertainIsNotNamed) {
  const auto uncertain = Explained({{0, 10}, {4, 18}});
  EXPECT_EQ(Ids(uncertain), Names{"tripled"});
  // Squared and tripled are the same for 3.
  const auto either = Explained({{3, 10}});
  ASSERT_TRUE(either);
  EXPECT_EQ(either->sets.size(), 2u);
  EXPECT_EQ(Ids(either), Names{});
}

/// Two versions of one misconception: it is named, with the words of both.
TEST(StepSearch, VersionsOfOneMisconceptionAreTheSameName) {
  const Calculation<int, int> two = {
      {{{"half", "rounded up"}, {"half", "rounded down"}}},
      [](const int& x, const Versions& v) { return v[0] == 0 ? x : (x + 2 - v[0]) / 2; }};
  const std::vector<std::pair<int, int>> even = {{2, 1}, {8, 4}}, odd = {{3, 2}, {8, 4}};
  EXPECT_EQ(Evidence(*Explain(two, even, std::equal_to<>()), "numbers"),
            "all 2 numbers follow from this: rounded up, or rounded down");
  EXPECT_EQ(Ids(Explain(two, even, std::equal_to<>())), Names{"half"});
  EXPECT_EQ(Evidence(*Explain(two, odd, std::equal_to<>()), "numbers"),
            "all 2 numbers follow from this: rounded up");
}

/// 40 answers, of which the student gave `ruined` in a way of his own.
std::vector<std::pair<int, int>> Squares(int ruined) {
  std::vector<std::pair<int, int>> answers;
  for (int x = 3; x < 43; ++x) answers.emplace_back(x, x - 3 < ruined ? -x : x * x + 1);
  return answers;
}

TEST(StepSearch, APartIsExplainedIfItIsMuchMoreThanChance) {
  const auto part = Explained(Squares(5));
  EXPECT_EQ(Ids(part), Names{"squared"});
  EXPECT_EQ(Evidence(*part, "numbers"),
            "35 of 40 numbers follow from this: x squared. 0 are right, so something else is wrong, too");
  EXPECT_FALSE(Explained(Squares(20)));
}

TEST(StepSearch, AnAnswerThatNeverChangesIsNotPutTogetherFromMistakes) {
  const Calculation<int, int> product = {
      {{{"nothing", "x times 0"}}, {{"twice", "2 added"}}},
      [](const int& x, const Versions& v) { return (v[0] == 0 ? x : 0) + (v[1] == 0 ? 1 : 2); }};
  const std::vector<std::pair<int, int>> ones = {{3, 1}, {4, 1}, {5, 1}}, twos = {{3, 2}, {4, 2}, {5, 2}};
  EXPECT_EQ(Ids(Explain(product, ones, std::equal_to<>())), Names{"nothing"});
  EXPECT_FALSE(Explain(product, twos, std::equal_to<>()));
}

TEST(StepSearch, ThatOneNumberFitsManyQuestionsIsChance) {
  // Everybody answers 0 or 1, and the mistake makes 1 of everything.
  const Calculation<int, int> bits = {{{{"always", "a one"}}},
                                      [](const int& x, const Versions& v) { return v[0] == 0 ? x % 2 : 1; }};
  std::vector<std::pair<int, int>> answers;
  for (int i = 0; i < 40; ++i) answers.emplace_back(2 * i, i < 35 ? 1 : 2);
  EXPECT_FALSE(Explain(bits, answers, std::equal_to<>()));
}

}  // namespace
}  // namespace warplings::step_search
