// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_formula.h"

#include <gtest/gtest.h>

#include <functional>

namespace warplings {
namespace {

using Sum = std::vector<ProbeTerm>;

/// Each element's terms as a function of its row and column.
ProbeResult Made(const ProductContract& contract, const std::function<Sum(int row, int column)>& sum) {
  ProbeResult result;
  for (int row = 0; row < contract.rows; ++row) {
    for (int column = 0; column < contract.columns; ++column) {
      FoundFormula formula;
      formula.element = static_cast<std::size_t>(row * contract.columns + column);
      formula.known = true;
      formula.terms = sum(row, column);
      std::ranges::sort(formula.terms, {}, [](const ProbeTerm& term) { return std::pair(term.a, term.b); });
      result.formulas.push_back(formula);
    }
  }
  return result;
}

constexpr int kRows = 4, kInner = 3, kColumns = 5;

class ProductFormula : public testing::Test {
 protected:
  /// The sum over i from 0 to `count` - 1 of M[m(row, i)] x N[n(i, column)].
  using Index = std::function<int(int, int)>;
  ProductFacts Facts(const Index& m, const Index& n, int count = kInner) {
    probed_ = Made(contract_, [&](int row, int column) {
      Sum sum;
      for (int i = 0; i < count; ++i) sum.push_back({m(row, i), n(i, column), 1});
      return sum;
    });
    return FactsOfProduct(contract_, probed_);
  }
  static int M(int row, int i) { return row * kInner + i; }
  static int N(int i, int column) { return i * kColumns + column; }

  ProductContract contract_{.rows = kRows, .inner = kInner, .columns = kColumns};
  ProbeResult probed_;
};

std::string First(const ProductFacts& facts) {
  return facts.sentences.empty() ? "" : facts.sentences.front();
}

TEST(EndsWithAWholeTileTest, OnlyWholeTilesAreKept) {
  const auto with = [](std::vector<std::int64_t> times) {
    ProductFacts facts;
    facts.times = std::move(times);
    return EndsWithAWholeTile(facts, 2);
  };
  EXPECT_TRUE(with({1, 1, 0}));
  EXPECT_TRUE(with({1, 1, 1, 1, 0}));
  EXPECT_FALSE(with({1, 1, 1}));     // nothing is lost
  EXPECT_FALSE(with({1, 0, 0}));     // half of a tile
  EXPECT_FALSE(with({0, 0, 0}));     // nothing is kept
  EXPECT_FALSE(with({1, 1, 0, 1}));  // the last one is there
  EXPECT_FALSE(with({}));            // nobody knows
}

/// Of a 3 x 4 array.
std::string Places(const std::vector<float>& actual, const std::function<bool(int row, int column)>& wrong) {
  std::vector<bool> is_wrong;
  for (int i = 0; i < 12; ++i) is_wrong.push_back(wrong(i / 4, i % 4));
  return PlacesFact("P", 3, 4, actual, is_wrong);
}

TEST(PlacesFactTest, SaysWhereWrongElementsBeginAndWhatTheyHold) {
  const std::vector<float> zeros(12, 0.0f), numbers(12, 7.0f);
  EXPECT_EQ(Places(zeros, [](int, int) { return false; }), "");
  EXPECT_EQ(Places(zeros, [](int, int) { return true; }), "Every element of P is 0.");
  EXPECT_EQ(Places(numbers, [](int, int) { return true; }), "");
  EXPECT_EQ(Places(zeros, [](int, int column) { return column >= 2; }),
            "P is right up to column 1; from column 2 on every element is 0. Which block and which thread "
            "compute these, and what differs for them?");
  EXPECT_EQ(
      Places(numbers, [](int row, int column) { return row >= 2 || column >= 3; }),
      "P is right up to row 1 and column 2; from row 2 and from column 3 on every element is wrong. Which "
      "block and which thread compute these, and what differs for them?");
  EXPECT_EQ(Places(numbers, [](int row, int column) { return row == 1 && column == 2; }),
            "1 element of P is wrong, of 12; the first is P[1][2]. Which thread stores it, and what differs "
            "from its neighbours that are right?");
  EXPECT_EQ(
      PlacesFact("C", 1, 3, {1.0f, 1.0f, 0.0f}, {false, false, true}),
      "C is right up to C[1]; from C[2] on every element is 0. Which block and which thread compute these, "
      "and what differs for them?");
}

TEST_F(ProductFormula, ARightProductHasNoFact) {
  const ProductFacts facts = Facts(M, N);
  EXPECT_EQ(facts.wrong, 0u);
  EXPECT_TRUE(facts.sentences.empty());
  EXPECT_TRUE(ExplainProduct(contract_, probed_, facts).elements.empty());
}

TEST_F(ProductFormula, NamesTheSideThatIsTakenForARowsLength) {
  const ProductFacts n = Facts(M, [](int i, int c) { return i * kInner + c; });
  EXPECT_EQ(n.n_row_length, 3);
  EXPECT_EQ(First(n), "N is read as if its rows had 3 elements (k); they have 5 (l).");
  const ProductFacts m = Facts([](int r, int i) { return r * kRows + i; }, N);
  EXPECT_EQ(m.m_row_length, 4);
  EXPECT_EQ(First(m), "M is read as if its rows had 4 elements (j); they have 3 (k).");
}

TEST_F(ProductFormula, TwoMistakesGiveTwoFacts) {
  const ProductFacts facts =
      Facts([](int r, int i) { return r * kRows + i; }, [](int i, int c) { return i * kInner + c; });
  EXPECT_EQ(facts.m_row_length, 4);
  EXPECT_EQ(facts.n_row_length, 3);
  EXPECT_EQ(facts.sentences.size(), 2u);
}

TEST_F(ProductFormula, TellsInterchangedAxesFromAnotherLength) {
  const ProductFacts facts = Facts(M, [](int i, int c) { return c * kInner + i; });
  EXPECT_TRUE(facts.n_turned);
  EXPECT_EQ(First(facts),
            "Row and column of N are interchanged in its index, which steps 3 (k) elements where it "
            "should step 1.");
}

TEST_F(ProductFormula, TellsAnOffsetByOne) {
  const ProductFacts facts = Facts(M, [](int i, int c) { return i * kColumns + c + 1; });
  EXPECT_EQ(facts.n_offset, 1);
  EXPECT_EQ(First(facts), "Each element of N that is read lies one place too far on in memory.");
}

TEST_F(ProductFormula, TellsSumsThatAreTooShortOrTooLong) {
  const ProductFacts few = Facts(M, N, 2);
  EXPECT_EQ(few.times, (std::vector<std::int64_t>{1, 1, 0}));
  EXPECT_EQ(First(few), "Each sum lacks the products with i = 2, the last one.");
  EXPECT_EQ(First(Facts(M, N, 4)), "Each sum has 4 products (j) instead of 3 (k).");
}

TEST_F(ProductFormula, TellsThatTheLastPartialTileIsLeftOut) {
  contract_ = {.rows = 2, .inner = 18, .columns = 3, .tile = 16};
  const ProductFacts facts =
      Facts([](int r, int i) { return r * 18 + i; }, [](int i, int c) { return i * 3 + c; }, 16);
  EXPECT_EQ(First(facts),
            "Each sum ends after 1 phase, with i = 15; with tiles of 16, 18 (k) products take 2.");
}

TEST_F(ProductFormula, TellsWhatThePhaseBeforeLeftInATile) {
  contract_ = {.rows = 2, .inner = 18, .columns = 3, .tile = 16};
  Facts([](int r, int i) { return r * 18 + i; }, [](int i, int c) { return i * 3 + c; }, 18);
  for (FoundFormula& formula : probed_.formulas) {
    for (ProbeTerm& term : formula.terms) {
      const auto i = term.a % 18;
      if (i >= 2 && i < 16) term.times = 2;
    }
  }
  EXPECT_EQ(
      First(FactsOfProduct(contract_, probed_)),
      "The products with i = 2 to 15 are added 2 times in each sum: the last phase has no elements for these "
      "places, and multiplies what the phase before left there.");
}

TEST_F(ProductFormula, TellsWhereSumsAreStored) {
  probed_ = Made(contract_, [](int row, int column) {
    const int place = row * kColumns + column;  // with rows of 6 places 5, 11, … stay empty
    Sum sum;
    if (place % 6 == 5 || place / 6 >= kRows) return sum;
    for (int i = 0; i < kInner; ++i) sum.push_back({M(place / 6, i), N(i, place % 6), 1});
    return sum;
  });
  for (FoundFormula& formula : probed_.formulas) formula.before_times = formula.terms.empty();
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(facts.p_row_length, 6);
  EXPECT_EQ(facts.untouched, 3u);
}

TEST_F(ProductFormula, TellsRowsAndColumnsThatNobodyStores) {
  Facts(M, N);
  for (FoundFormula& formula : probed_.formulas) {
    if (formula.element / kColumns < 2) continue;
    formula.terms.clear();
    formula.before_times = 1;
  }
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(First(facts), "No thread stores the elements of P from row 2 on.");
  const Explanation explanation = ExplainProduct(contract_, probed_, facts);
  ASSERT_FALSE(explanation.elements.empty());
  EXPECT_EQ(explanation.elements.front().element, "P[2][0]");
  EXPECT_FALSE(explanation.elements.front().stored);
}

TEST_F(ProductFormula, TellsSumsThatBeginWithWhatWasThere) {
  Facts(M, N);
  for (FoundFormula& formula : probed_.formulas) formula.before_times = 1;
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(facts.adds_before, 20u);
  EXPECT_EQ(First(facts), "The sum is added to what P held before the call, and nothing sets that to 0.");
}

TEST_F(ProductFormula, TellsSumsWithoutAnyProduct) {
  const ProductFacts facts = Facts(M, N, 0);
  EXPECT_EQ(facts.sentences,
            (std::vector<std::string>{"Every element of P is 0: no product gets into any sum."}));
}

TEST_F(ProductFormula, NamesTheTermsWhereNothingElseFits) {
  const ProductFacts facts = Facts([](int r, int i) { return r == 2 && i == 1 ? 0 : M(r, i); }, N);
  EXPECT_EQ(AdviceFrom({facts.sentences.back()}),
            "P[2][0] lacks M[2][1]·N[1][0]; instead it has M[0][0]·N[1][0].");
}

TEST_F(ProductFormula, SaysNothingOfElementsThatAreNotKnown) {
  Facts(M, [](int i, int c) { return i * kInner + c; });
  for (FoundFormula& formula : probed_.formulas) formula.known = false;
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(facts.unknown, 20u);
  EXPECT_TRUE(facts.sentences.empty());
}

TEST_F(ProductFormula, ShowsTermsByTheirPlaces) {
  const ProductFacts facts = Facts([](int r, int i) { return r * kRows + i; }, N);
  const Explanation explanation = ExplainProduct(contract_, probed_, facts);
  EXPECT_EQ(explanation.call, "4 x 3 times 3 x 5");
  ASSERT_EQ(explanation.elements.size(), 3u);
  const ElementFormula& first = explanation.elements.front();
  EXPECT_EQ(first.element, "P[1][0]");
  EXPECT_EQ(first.yours.front().factors, (std::vector<std::string>{"M[1][1]", "N[0][0]"}));
  EXPECT_EQ(first.right.front().factors, (std::vector<std::string>{"M[1][0]", "N[0][0]"}));
}

TEST(PrecisionFact, TellsHalvesFromWrongIndices) {
  const std::vector<double> expected = {1, 2, -3, 4}, sizes = {2, 2, 4, 4};
  const std::vector<double> halves = {1.0004, 2.0003, -3.0005, 4.0002};
  EXPECT_NE(PrecisionFact(halves, expected, sizes).find("__half"), std::string::npos);
  EXPECT_EQ(PrecisionFact({1.5, 2, -2, 4}, expected, sizes), "");
  EXPECT_EQ(PrecisionFact({1, 2, -3, 4.0005}, expected, sizes), "") << "one element is off, not all";
  EXPECT_EQ(PrecisionFact({1 + 1e-5, 2 + 1e-5, -3 + 1e-5, 4 + 1e-5}, expected, sizes), "");
}

}  // namespace
}  // namespace warplings
