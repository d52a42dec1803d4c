// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/linear_formula.h"

#include <gtest/gtest.h>

#include "grader/messages/product_facts.h"

namespace warplings {
namespace {

std::string InBrackets(std::size_t index) {
  return "[" + std::to_string(index) + "]";
}

/// A reversal of five elements.
LinearContract Reversal() {
  return {"5 elements", "in", "out", 5, InBrackets, InBrackets, [](std::size_t e) {
            return std::vector<ElementIndex>{4 - static_cast<ElementIndex>(e)};
          }};
}

/// One sum of eight elements.
LinearContract SumContract() {
  return {"n = 8", "X", "sums", 8, InBrackets, InBrackets, [](std::size_t) {
            return std::vector<ElementIndex>{0, 1, 2, 3, 4, 5, 6, 7};
          }};
}

FoundFormula Found(std::size_t element, std::vector<ProbeTerm> terms) {
  FoundFormula formula;
  formula.element = element;
  formula.known = true;
  formula.terms = std::move(terms);
  return formula;
}

ProbeTerm X(ElementIndex index, std::int64_t times = 1) {
  return {index, kNoElement, times};
}

TEST(ExplainLinear, SaysNothingOfWhatIsRight) {
  ProbeResult probed;
  for (std::size_t i = 0; i < 5; ++i)
    probed.formulas.push_back(Found(i, {X(4 - static_cast<ElementIndex>(i))}));
  const Explanation explanation = ExplainLinear(Reversal(), probed);
  EXPECT_TRUE(explanation.elements.empty());
  EXPECT_TRUE(explanation.facts.empty());
}

TEST(ExplainLinear, TellsWhatAPlaceHoldsAndWhatBelongsThere) {
  ProbeResult probed;
  for (std::size_t i = 0; i < 5; ++i)
    probed.formulas.push_back(Found(i, {X(5 - static_cast<ElementIndex>(i))}));
  const Explanation explanation = ExplainLinear(Reversal(), probed);
  EXPECT_EQ(explanation.elements.size(), 3u);
  EXPECT_EQ(English(explanation.facts.front()),
            "out[0] holds in[5]; it should hold in[4]. Which thread should store out[0], and from which "
            "index should it load? Compare that with each thread that does store there.");
  ProbeResult zero;
  for (std::size_t i = 0; i < 5; ++i) zero.formulas.push_back(Found(i, {}));
  EXPECT_EQ(
      English(ExplainLinear(Reversal(), zero).facts.front()),
      "out[0] holds 0; it should hold in[4]. Go back from the line that stores out[0]: where does the 0 "
      "come from?");
}

TEST(ExplainLinear, TellsWhatIsNeverStored) {
  ProbeResult probed;
  for (std::size_t i = 0; i < 5; ++i) {
    probed.formulas.push_back(Found(i, {X(4 - static_cast<ElementIndex>(i))}));
    if (i < 3) continue;
    probed.formulas.back().terms.clear();
    probed.formulas.back().before_times = 1;
  }
  const Explanation explanation = ExplainLinear(Reversal(), probed);
  EXPECT_EQ(English(explanation.facts),
            (std::vector<std::string>{"2 elements of out are never stored; the first is out[3]."}));
  EXPECT_FALSE(explanation.elements.front().stored);
}

/// A place of shared memory that nobody wrote holds the same whatever the input is.
TEST(ExplainLinear, TellsANumberThatIsOfNoInput) {
  ProbeResult probed;
  for (std::size_t i = 0; i < 5; ++i) probed.formulas.push_back(Found(i, {}));
  for (FoundFormula& formula : probed.formulas) formula.constant = -1;
  EXPECT_EQ(English(ExplainLinear(Reversal(), probed).facts),
            (std::vector<std::string>{
                "out[0] is -1 for all values of in; it should hold in[4]. Which line stores that number?"}));
}

/// "Holds in[4]; it should hold in[4]" would be no fact.
TEST(ExplainLinear, AMultipleOfTheRightElementIsNotTheRightOne) {
  ProbeResult probed;
  for (std::size_t i = 0; i < 5; ++i)
    probed.formulas.push_back(Found(i, {X(4 - static_cast<ElementIndex>(i), 2)}));
  EXPECT_EQ(English(ExplainLinear(Reversal(), probed).facts),
            (std::vector<std::string>{"out[0] contains in[4] twice. Follow in[4] through your code: where is "
                                      "it added first, and where again?"}));
  for (FoundFormula& formula : probed.formulas) formula.terms.front().times = -1;
  EXPECT_EQ(English(ExplainLinear(Reversal(), probed).facts),
            (std::vector<std::string>{
                "out[0] has in[4] subtracted instead of added. Check the sign in the line that adds."}));
}

TEST(ExplainLinear, TellsWhatWasThereBeforeOrIsInNoInput) {
  ProbeResult probed;
  probed.formulas = {Found(0, {X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7)})};
  probed.formulas.front().before_times = 1;
  probed.formulas.front().constant = -3;
  EXPECT_EQ(English(ExplainLinear(SumContract(), probed).facts),
            (std::vector<std::string>{
                "sums[0] includes what it held before the call. Which line sets it "
                "to 0 before the first addition?",
                "sums[0] is too small by 3, even if X holds only zeros. What does the sum start from?"}));
}

TEST(ExplainLinear, TellsWhichElementsASumLacksOrHasTwice) {
  ProbeResult probed;
  probed.formulas = {Found(0, {X(0), X(1, 2), X(2), X(3), X(9)})};
  const Explanation explanation = ExplainLinear(SumContract(), probed);
  EXPECT_EQ(
      English(explanation.facts),
      (std::vector<std::string>{
          "The sum in sums[0] lacks X[4] to X[7]. Follow the thread that should load X[4]: which line "
          "makes it leave this element out?",
          "sums[0] contains X[1] twice. Follow X[1] through your code: where is it added first, and where "
          "again?",
          "sums[0] also contains X[9], which should not be in it. Which line adds what it should not?"}));
  LinearContract loading = SumContract();
  loading.loads_all = true;
  EXPECT_EQ(English(ExplainLinear(loading, probed).facts.front()),
            "The sum in sums[0] lacks X[4] to X[7]. Follow X[4] from its load to sums[0]: where does it get "
            "lost?");
}

TEST(ExplainLinear, ASumOfNothing) {
  ProbeResult probed;
  probed.formulas = {Found(0, {})};
  EXPECT_EQ(English(ExplainLinear(SumContract(), probed).facts),
            (std::vector<std::string>{
                "No element of X reaches the sum in sums[0]. Follow the thread that should load X[0]: "
                "which line makes it leave this element out?"}));
}

TEST(ExplainLinear, TellsHowOftenASumHasAnElement) {
  const auto fact_of = [](std::vector<ProbeTerm> terms) {
    ProbeResult probed;
    probed.formulas = {Found(0, std::move(terms))};
    const Explanation explanation = ExplainLinear(SumContract(), probed);
    return explanation.facts.size() == 1 ? English(explanation.facts.front()) : "";
  };
  EXPECT_EQ(
      fact_of({X(0, 25), X(1, 25), X(2), X(3), X(4), X(5), X(6), X(7)}),
      "sums[0] contains X[0] and X[1] 25 times. Follow X[0] through your code: which steps or threads add "
      "it again?");
  EXPECT_EQ(fact_of({X(0), X(1), X(2), X(3), X(4), X(5, 2), X(6, 3), X(7, 9)}),
            "X[5] to X[7] are added to sums[0] more than once (X[5] 2 times, X[7] 9 times). Follow X[5] "
            "through all steps: in which of them is it added again?");
  EXPECT_EQ(fact_of({X(0), X(1, -1), X(2), X(3), X(4), X(5), X(6), X(7)}),
            "sums[0] has X[1] subtracted instead of added. Check the sign in the line that adds.");
}

/// Where no more elements are loaded than reach the sum, the others are not lost behind their loads.
TEST(FactsOfCounts, ElementsThatNoThreadLoads) {
  const std::vector<CountedRange> counts = {{0, 2083, 1}, {2084, 2084, 0}};
  EXPECT_EQ(FactsOfCounts("input", counts, 2084),
            std::vector<Message>{say::counted_never_loaded(2084, "input")});
  EXPECT_EQ(FactsOfCounts("input", counts, 2085), std::vector<Message>{say::counted_never(2084, "input")});
  EXPECT_EQ(FactsOfCounts("input", {{0, 9, 1}, {10, 19, 0}}, 10),
            std::vector<Message>{say::counted_never_loaded_in_range({10, 19}, "input")});
}

/// As often as there are blocks: the cause stands beside what it does.
TEST(FactsOfCounts, WhatEachBlockAdds) {
  EXPECT_EQ(
      English(FactsOfCounts("input", {{0, 4095, 1}, {4096, 4499, 3}}, UINT64_MAX, 3)),
      std::vector<std::string>{
          "Elements 4096 to 4499 of input are added 3 times, as if each of the 3 blocks added them. Which "
          "blocks should add them, and which condition of yours makes sure of that?"});
  EXPECT_EQ(
      English(FactsOfCounts("input", {{0, 2083, 1}, {2084, 2084, 2}}, UINT64_MAX, 2)).back(),
      "Element 2084 of input is added twice, as if each of the 2 blocks added it. Which block should add "
      "it, and which condition of yours makes sure of that?");
  EXPECT_EQ(English(FactsOfCounts("input", {{0, 2083, 1}, {2084, 2084, 2}}, UINT64_MAX, 3)).back(),
            "Element 2084 of input is added twice. Which threads add it?");
}

TEST(FactsOfCounts, NamesRanges) {
  EXPECT_TRUE(FactsOfCounts("input", {{0, 99, 1}}).empty());
  EXPECT_EQ(English(FactsOfCounts("input", {{0, 1023, 1}, {1024, 1151, 2}, {1152, 1152, 0}})),
            (std::vector<std::string>{
                "Elements 1024 to 1151 of input are added twice. Which threads add the same element?",
                "Element 1152 of input does not reach the sum. Which thread loads it, and where does that "
                "thread's sum go?"}));
}

}  // namespace
}  // namespace warplings
