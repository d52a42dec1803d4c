// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/step_search.h"

#include <gtest/gtest.h>

#include <numeric>

#include "grader/messages/product_facts.h"
#include "tests/suites/common/messages.h"

namespace warplings::step_search {
namespace {

/// x: doubled and then raised by one; wrong: squared, tripled; not raised, raised by ten.
const Calculation<int, int> kSmall = {{{{"squared", "x squared."}, {"tripled", "x tripled."}},
                                       {{"not_raised", "nothing added."}, {"tripled", "ten added."}}},
                                      [](const int& x, const Versions& v) {
                                        const int first = v[0] == 1 ? x * x : v[0] == 2 ? 3 * x : 2 * x;
                                        return first + (v[1] == 1 ? 0 : v[1] == 2 ? 10 : 1);
                                      }};

std::optional<Explanation> Explained(const std::vector<std::pair<int, int>>& answers) {
  return Explain(kSmall, answers, std::equal_to<>());
}

std::vector<std::string> Ids(const std::optional<Explanation>& explanation) {
  std::vector<std::string> ids;
  for (const Fact& each : Name(explanation, "numbers")) ids.push_back(each.id);
  return ids;
}

/// Of the first misconception that is named.
std::string EvidenceOf(const Explanation& explanation) {
  return English(Name(explanation, "numbers").front().message);
}

using Names = std::vector<std::string>;

TEST(StepSearch, RightAnswersNeedNoExplanation) {
  EXPECT_FALSE(Explained({{1, 3}, {5, 11}}));
  EXPECT_FALSE(Explained({}));
}

TEST(StepSearch, OneMistakeAndTwo) {
  EXPECT_EQ(Ids(Explained({{1, 2}, {5, 26}})), Names{"squared"});
  EXPECT_EQ(Ids(Explained({{1, 1}, {5, 25}})), (Names{"squared", "not_raised"}));
  EXPECT_EQ(EvidenceOf(*Explained({{1, 1}, {5, 25}})), "x squared.");
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
      {{{"half", "you round up."}, {"half", "you round down."}}},
      [](const int& x, const Versions& v) { return v[0] == 0 ? x : (x + 2 - v[0]) / 2; }};
  const std::vector<std::pair<int, int>> even = {{2, 1}, {8, 4}}, odd = {{3, 2}, {8, 4}};
  EXPECT_EQ(EvidenceOf(*Explain(two, even, std::equal_to<>())), "you round up. Or you round down.");
  EXPECT_EQ(Ids(Explain(two, even, std::equal_to<>())), Names{"half"});
  EXPECT_EQ(EvidenceOf(*Explain(two, odd, std::equal_to<>())), "you round up.");
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
  EXPECT_EQ(EvidenceOf(*part), "x squared. (This does not explain 5 of your 40 numbers.)");
  EXPECT_FALSE(Explained(Squares(20)));
}

/// One asking for each answer: three to a test, named by what was asked.
std::vector<Asking> AskingsOf(const std::vector<std::pair<int, int>>& answers) {
  std::vector<Asking> askings;
  for (std::size_t i = 0; i < answers.size(); ++i)
    askings.push_back({"Test" + std::to_string(i / 3), "x = " + std::to_string(answers[i].first)});
  return askings;
}

TEST(StepSearch, AnAnswerIsQuotedThatTheMistakeExplains) {
  // Squared everywhere, which 2 does not show.
  const std::vector<std::pair<int, int>> one = {{2, 5}, {0, 1}, {2, 5}, {2, 5}, {5, 26}, {6, 37}};
  const auto named = Name(Explained(one), "numbers", AskingsOf(one));
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(English(named[0].message), "Test1: x squared. Example: x = 5");
  EXPECT_EQ(named[0].tests, Names{"Test1"});
}

TEST(StepSearch, OfTwoMistakesEachQuotesItsOwn) {
  // 2 shows only that nothing is added, 5 shows both.
  const std::vector<std::pair<int, int>> two = {{2, 4}, {2, 4}, {2, 4}, {5, 25}};
  const auto named = Name(Explained(two), "numbers", AskingsOf(two));
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].id, "squared");
  EXPECT_EQ(English(named[0].message), "Test1: x squared. Example, with another mistake in it: x = 5");
  EXPECT_EQ(named[0].tests, Names{"Test1"});
  EXPECT_EQ(English(named[1].message), "Test0: nothing added. Example: x = 2");
  EXPECT_EQ(named[1].tests, (Names{"Test0", "Test1"}));
}

/// Two explanations of one mistake beside a certain one: an answer is quoted, and not for what one of them
/// says.
TEST(StepSearch, AnAnswerIsQuotedAlsoWhereTheWordsAreNotCertain) {
  const Calculation<int, int> calculation = {
      {{{"squared", "x squared."}}, {{"ten", "ten added."}, {"ten", "five and five added."}}},
      [](const int& x, const Versions& v) { return (v[0] == 0 ? 2 * x : x * x) + (v[1] == 0 ? 1 : 10); }};
  const std::vector<std::pair<int, int>> answers = {{3, 19}, {4, 26}, {5, 35}};
  const auto named = Name(Explain(calculation, answers, std::equal_to<>()), "numbers", AskingsOf(answers));
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(English(named[0].message), "Test0: x squared. Example: x = 3");
}

TEST(StepSearch, WhatDoesNotComeOutIsSaid) {
  const auto answers = Squares(5);
  const auto named = Name(Explained(answers), "numbers", AskingsOf(answers));
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(English(named[0].message),
            "Test1: x squared. (This does not explain 5 of your 40 numbers.) "
            "Example: x = 8");
}

/// Of two steps one is certain: the numbers do not follow from that alone.
TEST(StepSearch, AStepThatIsLeftOpenIsMentioned) {
  const Calculation<int, int> calculation = {
      {{{"squared", "x squared."}}, {{"ten", "ten added."}, {"other", "six added, and four."}}},
      [](const int& x, const Versions& v) { return (v[0] == 0 ? 2 * x : x * x) + (v[1] == 0 ? 1 : 10); }};
  std::vector<std::pair<int, int>> answers;
  for (int x = 3; x < 6; ++x) answers.emplace_back(x, x * x + 10);
  const auto found = Explain(calculation, answers, std::equal_to<>());
  ASSERT_TRUE(found);
  EXPECT_EQ(EvidenceOf(*found), "x squared. Correct this and check again: something else may be wrong, too.");
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

/// 40 answers, of which the even ones below 10 are wrong; `small_below`: one trait is to be below that.
std::string SharedBy(const std::vector<Message>& traits, int small_below) {
  std::vector<std::vector<bool>> has(3);
  std::vector<bool> is_wrong;
  std::vector<Message> names;
  for (int i = 0; i < 40; ++i) {
    has[0].push_back(i % 2 == 0);
    has[1].push_back(i < small_below);
    has[2].push_back(i % 2 == 1);
    is_wrong.push_back(i < 10 && i % 2 == 0);
    names.push_back(i < 4 ? say::two_traits(say::width(i), "something more") : say::width(i));
  }
  return English(WhatWrongOnesShare(traits, has, is_wrong, names));
}

TEST(WhatWrongOnesShare, AreTheTraitsThatFewestRightOnesHave) {
  const std::vector<Message> traits = {"they are even", "they are small", "they are odd"};
  EXPECT_EQ(
      SharedBy(traits, 10),
      "In all 5 wrong answers, they are even, and they are small. None of your 35 right answers is like "
      "that. Work out one of them by hand, step by step: width 4.");
  // 12 is even and below 13, and right.
  EXPECT_EQ(
      SharedBy(traits, 13),
      "In all 5 wrong answers, they are even, and they are small. That is so in only 2 of your 35 right "
      "answers. Work out one of them by hand, step by step: width 4.");
}

TEST(WhatWrongOnesShare, OneTraitIsEnoughIfAnotherRulesOutLessThanHalf) {
  // All below 9 are wrong, the trait is to be below 10; few of the even ones are right and below 10.
  std::vector<std::vector<bool>> has(2);
  std::vector<bool> is_wrong;
  for (int i = 0; i < 40; ++i) {
    has[0].push_back(i < 11);
    has[1].push_back(i != 10);
    is_wrong.push_back(i < 8);
  }
  EXPECT_EQ(English(WhatWrongOnesShare({"they are small", "not ten"}, has, is_wrong)),
            "In all 8 wrong answers, they are small. That is so in only 3 of your 32 right answers. Work out "
            "one of "
            "them by hand, step by step.");
  has[1] = is_wrong;
  EXPECT_EQ(English(WhatWrongOnesShare({"they are small", "they are tiny"}, has, is_wrong)),
            "In all 8 wrong answers, they are tiny. None of your 32 right answers is like that. Work out one "
            "of them by hand, step by step.");
}

TEST(WhatWrongOnesShare, NothingWhereOneWrongAnswerIsAnExceptionOrMostRightOnesHaveItToo) {
  std::vector<std::vector<bool>> has = {std::vector<bool>(40, true)};
  std::vector<bool> is_wrong(40, false);
  for (std::size_t i = 0; i < 10; ++i) is_wrong[i] = true;
  EXPECT_TRUE(WhatWrongOnesShare({"anything"}, has, is_wrong).empty());
  has[0] = is_wrong;
  EXPECT_FALSE(WhatWrongOnesShare({"small"}, has, is_wrong).empty());
  has[0][0] = false;
  EXPECT_TRUE(WhatWrongOnesShare({"small"}, has, is_wrong).empty());
  EXPECT_TRUE(WhatWrongOnesShare({"small"}, has, std::vector<bool>(40, true)).empty());
}

/// Two wrong steps that leave a rest: a program that does one thing otherwise is close to many pairs.
TEST(StepSearch, APairThatLeavesARestIsNotNamed) {
  std::vector<std::pair<int, int>> answers;
  for (int x = 3; x < 43; ++x) answers.emplace_back(x, x < 6 ? -x : x * x + 10);
  EXPECT_FALSE(Explained(answers));
}

/// Nor three at once: a matrix read by its columns looks like x for y, blocks turned, and M for N.
TEST(StepSearch, ThreeAtOnceAreNotNamed) {
  const Calculation<int, int> calculation = {
      {{{"squared", "x squared"}}, {{"ten", "ten added"}}, {{"negated", "negated"}}},
      [](const int& x, const Versions& v) {
        const int sum = (v[0] == 0 ? x : x * x) + (v[1] == 0 ? 0 : 10);
        return v[2] == 0 ? sum : -sum;
      }};
  std::vector<std::pair<int, int>> two, three;
  for (int x = 3; x < 12; ++x) two.emplace_back(x, x * x + 10), three.emplace_back(x, -(x * x + 10));
  EXPECT_EQ(Ids(Explain(calculation, two, std::equal_to<>())), (Names{"squared", "ten"}));
  EXPECT_FALSE(Explain(calculation, three, std::equal_to<>()));
}

/// "Something else" is no name where it could be four things.
TEST(StepSearch, WhatHasTooManyWordsIsNotNamed) {
  const auto of = [](std::size_t versions) {
    Calculation<int, int> calculation = {{{}},
                                         [](const int& x, const Versions& v) { return v[0] == 0 ? x : -x; }};
    for (std::size_t i = 0; i < versions; ++i)
      calculation.steps[0].push_back({"another_step", "way " + std::to_string(i) + "."});
    const std::vector<std::pair<int, int>> answers = {{1, -1}, {2, -2}};
    return Explain(calculation, answers, std::equal_to<>());
  };
  EXPECT_EQ(Ids(of(3)), Names{"another_step"});
  EXPECT_EQ(EvidenceOf(*of(3)), "way 0. Or way 1. Or way 2.");
  EXPECT_EQ(Ids(of(4)), Names{});
}

/// Two mistakes of one name, of which only one is certain: the other is not told as an alternative to it.
TEST(StepSearch, ACertainMistakeIsNoAlternativeToAnother) {
  const Calculation<int, int> calculation = {
      {{{"another", "x squared."}}, {{"another", "two added."}}, {{"third", "one more added."}}},
      [](const int& x, const Versions& v) { return (v[0] == 0 ? x : x * x) + (v[1] + v[2]); }};
  std::vector<std::pair<int, int>> answers;
  for (int x = 3; x < 9; ++x) answers.emplace_back(x, x * x + 1);
  const auto found = Explain(calculation, answers, std::equal_to<>());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sets.size(), 2u);
  EXPECT_EQ(EvidenceOf(*found), "x squared. Correct this and check again: something else may be wrong, too.");
}

}  // namespace
}  // namespace warplings::step_search
