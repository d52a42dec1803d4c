// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_formula.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "grader/messages/product_facts.h"
#include "grader/suite/comparison.h"
#include "grader/suite/list_ranges.h"
#include "grader/suite/product_facts.h"
#include "grader/suite/product_values.h"

namespace warplings {
namespace {

using Sum = std::vector<ProbeTerm>;

/// Gives the terms of the element in a row and column.
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
  return facts.sentences.empty() ? "" : English(facts.sentences.front());
}

TEST(ListRangesTest, ThreeRangesAreNamed) {
  const auto list = [](const std::vector<std::int64_t>& all) { return English(product_facts::Ranges(all)); };
  EXPECT_EQ(list({}), "");
  EXPECT_EQ(list({7}), "7");
  EXPECT_EQ(list({7, 8}), "7 and 8");
  EXPECT_EQ(list({3, 7}), "3 and 7");
  EXPECT_EQ(list({0, 1, 2, 5}), "0 to 2, 5");
  EXPECT_EQ(list({0, 2, 4, 5}), "0, 2, 4, 5");
  EXPECT_EQ(list({0, 2, 3, 5, 7, 8}), "0, 2, 3, 5 and 2 more");
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
  return English(PlacesFact("P", 3, 4, actual, is_wrong));
}

TEST(PlacesFactTest, SaysWhereWrongElementsBeginAndWhatTheyHold) {
  const std::vector<float> zeros(12, 0.0f), numbers(12, 7.0f);
  EXPECT_EQ(Places(zeros, [](int, int) { return false; }), "");
  EXPECT_EQ(Places(zeros, [](int, int) { return true; }),
            "All elements of P are 0. Follow one thread by hand up to the line that stores P.");
  EXPECT_EQ(Places(numbers, [](int, int) { return true; }), "");
  EXPECT_EQ(Places(zeros, [](int, int column) { return column >= 2; }),
            "P is right up to column 1; the rest, from column 2 on, is 0. Which thread should store "
            "P[0][2]: is it launched, and which elements does it store?");
  EXPECT_EQ(Places(numbers, [](int row, int column) { return row >= 2 || column >= 3; }),
            "P is right up to row 1 and column 2; the rest, from row 2 and from column 3 on, is wrong. Which "
            "thread should store P[0][3]: is it launched, and which elements does it store?");
  EXPECT_EQ(Places(numbers, [](int row, int column) { return row == 1 && column == 2; }),
            "P[1][2] is wrong; all other elements of P are right (12 in all). Compare its thread with the "
            "thread of a neighbour: what differs?");
  // Nothing is said of neighbours that are wrong, too.
  EXPECT_EQ(Places(numbers, [](int row, int column) { return row != 2 || column != 3; }),
            "11 of 12 elements of P are wrong; the first is P[0][0]. Follow the thread that should store it: "
            "does it reach its store, and with which value?");
  EXPECT_EQ(
      English(PlacesFact("C", 1, 3, {1.0f, 1.0f, 0.0f}, {false, false, true})),
      "Only the last element, C[2], is 0. Which thread should store it: does your launch have that thread, "
      "and does it reach the store?");
  EXPECT_EQ(English(PlacesFact("C", 1, 3, {1.0f, 0.0f, 0.0f}, {false, true, true})),
            "C is right up to C[0]; the rest, from C[1] on, is 0. Which thread should store "
            "C[1]: is it launched, and which elements does it store?");
  const float nothing = std::bit_cast<float>(Poison());
  EXPECT_EQ(English(PlacesFact("C", 1, 3, {1.0f, nothing, nothing}, {false, true, true})),
            "C is right up to C[0]; the rest, from C[1] on, is never stored. Which thread should store C[1], "
            "and what keeps it from that: the launch, or a condition?");
  EXPECT_EQ(English(PlacesFact("P", 1, 1, {0.0f}, {true})),
            "P[0] is 0. Follow the thread that should store it: how often does it run the line that computes "
            "the value?");
}

TEST(EdgeFactTest, SaysNothingOfScatteredElements) {
  const std::vector<float> numbers(12, 7.0f);
  const auto edge = [&](auto is_wrong) {
    std::vector<bool> wrong;
    for (int e = 0; e < 12; ++e) wrong.push_back(is_wrong(e / 4, e % 4));
    return English(EdgeFact("P", 3, 4, numbers, wrong));
  };
  EXPECT_EQ(edge([](int row, int column) { return row == 1 && column == 2; }), "");
  EXPECT_EQ(edge([](int, int) { return true; }), "");
  EXPECT_EQ(edge([](int, int) { return false; }), "");
  EXPECT_TRUE(edge([](int row, int) {
                return row > 0;
              }).starts_with("P is right up to row 0; the rest, from row 1 on,"));
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
  EXPECT_EQ(First(n),
            "N is read as if its rows had 3 elements (k); they have l = 5. Check the row length in the index "
            "of the load.");
  const ProductFacts m = Facts([](int r, int i) { return r * kRows + i; }, N);
  EXPECT_EQ(m.m_row_length, 4);
  EXPECT_EQ(First(m),
            "M is read as if its rows had 4 elements (j); they have k = 3. Check the row length in the index "
            "of the load.");
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
            "N is read with row and column swapped, as if N[0][3] were N[0][1]. Check three indices: of the "
            "load from N, of the store to the tile, and of the load from the tile.");
  contract_.has_tiles = false;
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "N is read with row and column swapped, as if N[0][3] were N[0][1]. Check the row and the column "
            "in the index of its load.");
}

TEST_F(ProductFormula, TellsAnOffsetByOne) {
  const ProductFacts facts = Facts(M, [](int i, int c) { return i * kColumns + c + 1; });
  EXPECT_EQ(facts.n_offset, 1);
  EXPECT_EQ(First(facts),
            "Loads of N are off by one element, so each reads the one after the right one in memory. Check "
            "the index of the load.");
}

TEST_F(ProductFormula, TellsSumsThatAreTooShortOrTooLong) {
  const ProductFacts few = Facts(M, N, 2);
  EXPECT_EQ(few.times, (std::vector<std::int64_t>{1, 1, 0}));
  EXPECT_EQ(First(few),
            "Each sum lacks the last of its 3 products, M[r][2]·N[2][c]. Where does the loop end?");
  EXPECT_EQ(First(Facts(M, N, 4)),
            "Each sum has 4 products, as many as j, instead of k = 3. Which length ends your loop?");
}

TEST_F(ProductFormula, ProductsBehindTheLastAreNotCountedAcrossGaps) {
  contract_ = {.rows = 1, .inner = 1, .columns = 1, .tile = 32};
  const auto eighth = [](int, int i) { return i * 8; };
  EXPECT_EQ(First(Facts(
                eighth, [](int i, int) { return i * 8; }, 3)),
            "Sums include products M[r][i]·N[i][c] with i = 8 and 16, but here i must not go beyond 0. Find "
            "the line that loads elements of M or N with such an i, and let it check i first.");
}

TEST_F(ProductFormula, TilesThatWalkApartAreToldWithTheirGaps) {
  // 8 products a phase; M goes on by 16 columns, N by 8 rows.
  contract_.inner = 18;
  const auto facts = Facts([](int row, int i) { return row * 18 + (i < 8 ? i : i + 8); },
                           [](int i, int column) { return N(i, column); }, 10);
  EXPECT_EQ(First(facts),
            "Each sum uses elements of M with i = 0 to 7, 16, 17, but elements of N with i = 0 to 9. Both "
            "need the same i, the index along the side that M and N share: how far does each of your tiles "
            "move from phase to phase?");
}

TEST_F(ProductFormula, TellsThatTheLastPartialTileIsLeftOut) {
  contract_ = {.rows = 2, .inner = 18, .columns = 3, .tile = 16};
  const ProductFacts facts =
      Facts([](int r, int i) { return r * 18 + i; }, [](int i, int c) { return i * 3 + c; }, 16);
  EXPECT_EQ(
      First(facts),
      "Too few phases run: each sum ends after the product with i = 15. That is 1 phase with tiles of 16, "
      "but a sum of k = 18 products takes 2. How does your code count its phases?");
}

TEST_F(ProductFormula, TellsWhatThePhaseBeforeTheLastLeftInOneOfTwoBuffers) {
  contract_ = {.rows = 2, .inner = 40, .columns = 3, .tile = 16};
  Facts([](int r, int i) { return r * 40 + i; }, [](int i, int c) { return i * 3 + c; }, 40);
  const auto repeat = [this](int first, int end) {
    for (FoundFormula& formula : probed_.formulas) {
      for (ProbeTerm& term : formula.terms) term.times = term.a % 40 >= first && term.a % 40 < end ? 2 : 1;
    }
    return First(FactsOfProduct(contract_, probed_));
  };
  const std::string left = "In the last phase, part of each tile seems to hold values of an ";
  EXPECT_TRUE(repeat(8, 16).starts_with(left)) << repeat(8, 16);
  EXPECT_TRUE(repeat(24, 32).starts_with(left)) << repeat(24, 32);
  EXPECT_FALSE(repeat(4, 16).starts_with(left)) << "more than the last phase leaves free";
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
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "In the last phase, part of each tile seems to hold values of an earlier phase. So the products "
            "M[r][i]·N[i][c] with i = 2 to 15 are added twice to each sum. What should that part hold in the "
            "last phase?");
  for (FoundFormula& formula : probed_.formulas) {
    for (ProbeTerm& term : formula.terms) term.times = term.a % 18 == 17 ? 15 : 1;
  }
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "Past the edge, the tiles seem to repeat M's last column and N's last row 14 times, so each sum "
            "adds its last product, M[r][17]·N[17][c], 15 times. What should the places past the edge hold?");
  // Without tiles there is no phase to speak of.
  contract_.has_tiles = false;
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "The products M[r][i]·N[i][c] with i = 17 are added 15 times to each sum. Follow the "
            "one with i = 17 through your code: where is it added first, and where again?");
  for (FoundFormula& formula : probed_.formulas) {
    for (ProbeTerm& term : formula.terms) term.times = 2;
  }
  EXPECT_EQ(
      First(FactsOfProduct(contract_, probed_)),
      "Each sum contains all of its products twice. Follow the one with i = 0 through your code: where is "
      "it added first, and where again?");
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
  EXPECT_EQ(First(facts), "No thread stores P from row 2 on.");
  const Explanation explanation = ExplainProduct(contract_, probed_, facts);
  ASSERT_FALSE(explanation.elements.empty());
  EXPECT_EQ(explanation.elements.front().element, "P[2][0]");
  EXPECT_FALSE(explanation.elements.front().stored);
}

/// A block of 16 x 16 whose tile of M, or of N, is another block's.
TEST_F(ProductFormula, TellsARowOfAnotherTileFromSumsInWrongPlaces) {
  contract_ = {.rows = 18, .inner = 3, .columns = 4, .tile = 16};
  const auto n = [](int i, int c) { return i * 4 + c; };
  const ProductFacts rows = Facts([](int r, int i) { return r % 16 * kInner + i; }, n);
  EXPECT_TRUE(rows.another_row_of_m);
  EXPECT_EQ(
      First(rows),
      "P[16][0] holds the sum that belongs to P[0][0]: the column of N is right, but the row of M is 0 "
      "instead of 16. The two are a multiple of 16 apart, so they belong to different blocks. Compare "
      "the row in each line that loads M with the row in the line that stores P: where do they differ?");
  const ProductFacts thread = Facts([](int r, int i) { return (r == 3 ? 2 : r) * kInner + i; }, n);
  EXPECT_EQ(First(thread),
            "P[3][0] holds the sum that belongs to P[2][0]: the column of N is right, but the row of M is 2 "
            "instead of 3. Compare the row in each line that loads M with the row in the line that stores P: "
            "where do they differ?");
  const ProductFacts columns = Facts(M, [](int i, int c) { return i * 4 + (c == 1 ? 3 : c); });
  EXPECT_TRUE(columns.another_column_of_n);
  EXPECT_TRUE(
      First(columns).starts_with("P[0][1] holds the sum that belongs to P[0][3]: the row of M is right, but "
                                 "the column of N is 3 instead of 1. Compare the column"))
      << First(columns);
  const ProductFacts moved = Facts(
      [](int r, int i) {
        return (r == 3 ? 2 : r == 2 ? 3 : r) * kInner + i;
      },
      n);
  EXPECT_FALSE(moved.another_row_of_m);
  EXPECT_EQ(First(moved),
            "P[2][0] holds the complete sum that belongs to P[3][0]: the thread that stores P[2][0] adds the "
            "products of another row or column. Compare the row and the column in the line that adds with "
            "those in the line that stores.");
}

TEST_F(ProductFormula, SaysHowManyThreadsThereAreForWhatIsMissing) {
  Facts(M, N);
  for (FoundFormula& formula : probed_.formulas) {
    if (formula.element < 10) continue;
    formula.terms.clear();
    formula.before_times = 1;
  }
  contract_.launched = ProductContract::Launched::kOnce;
  contract_.grid = {2};
  contract_.block = {16};
  EXPECT_EQ(English(FactsOfProduct(contract_, probed_).sentences),
            (std::vector<std::string>{"No thread stores P from row 2 on.",
                                      "The launch has 2 blocks of 16 threads, enough threads for P. "
                                      "Which thread should store P[2][0]? Work out its row and column by "
                                      "hand: does it pass your guard, and where does it store?"}));
  contract_.block = {8, 2};
  EXPECT_EQ(
      English(FactsOfProduct(contract_, probed_).sentences.back()),
      "The launch has 2 blocks of 8 x 2 threads, enough for P, which takes 2 tiles of that size. Work out "
      "by hand which rows and columns of P each block takes: which block should take P[2][0]?");
  contract_.block = {16};
  contract_.grid = {1};
  EXPECT_EQ(English(FactsOfProduct(contract_, probed_).sentences.back()),
            "The launch has 1 block of 16 threads, too few threads for the 20 elements of P. Which thread "
            "should store P[2][0]?");
  contract_.grid = {1, 2};
  contract_.block = {4, 1, 2};
  EXPECT_EQ(English(FactsOfProduct(contract_, probed_).sentences.back()),
            "The launch has 1 x 2 blocks of 4 x 1 x 2 threads, too few threads for the 20 elements of P. "
            "Which thread should store P[2][0]?");
  for (FoundFormula& formula : probed_.formulas) {
    formula.terms.clear();
    formula.before_times = 1;
  }
  contract_.launched = ProductContract::Launched::kNothing;
  EXPECT_EQ(English(FactsOfProduct(contract_, probed_).sentences),
            std::vector<std::string>{"No kernel is launched, and no element of P is stored. Find the line of "
                                     "your host code that should launch it."});
}

TEST_F(ProductFormula, CountsTilesWhereBlocksTakeSeveral) {
  contract_ = {.rows = 3, .inner = 4, .columns = 40, .launched = ProductContract::Launched::kOnce};
  contract_.grid = {1};
  contract_.block = {16, 16};
  Facts([](int row, int i) { return row * 4 + i; }, [](int i, int column) { return i * 40 + column; }, 4);
  for (FoundFormula& formula : probed_.formulas) {
    if (formula.element % 40 < 32) continue;
    formula.terms.clear();
    formula.before_times = 1;
  }
  EXPECT_EQ(English(FactsOfProduct(contract_, probed_).sentences.back()),
            "The launch has 1 block of 16 x 16 threads, but P takes 3 tiles of that size. How many of these "
            "tiles does one of your blocks compute, and which line computes the number of blocks from that?");
}

TEST_F(ProductFormula, TellsBytesTakenForElements) {
  contract_ = {.rows = 7, .inner = 0, .columns = 9, .launched = ProductContract::Launched::kNothing};
  const auto with_first = [this](std::size_t stored) {
    probed_ = Made(contract_, [](int, int) { return Sum(); });
    for (FoundFormula& formula : probed_.formulas) formula.before_times = formula.element >= stored;
    return English(FactsOfProduct(contract_, probed_).sentences);
  };
  const std::string fact =
      "Only the first 63 bytes of P are set, but its 63 floats take 252 bytes. Find the call that sets them: "
      "does "
      "its size count bytes or elements?";
  EXPECT_EQ(with_first(15), std::vector{fact});
  EXPECT_EQ(with_first(16).back(), fact) << "the element in the middle of which it ends is anybody's";
  EXPECT_NE(with_first(14).back(), fact);
  EXPECT_NE(with_first(17).back(), fact);
  contract_.launched = ProductContract::Launched::kOnce;
  EXPECT_NE(with_first(15).back(), fact) << "a kernel's threads may have any reason";
}

TEST_F(ProductFormula, NamesTheProductsThatSomeSumsLack) {
  contract_ = {.rows = 2, .inner = 8, .columns = 3};
  probed_ = Made(contract_, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < 8; ++i) {
      if (row == 0 || i < 2 || i == 6) sum.push_back({row * 8 + i, i * 3 + column, 1});
    }
    return sum;
  });
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(English(facts.sentences.back()),
            "P[1][0] and 2 more elements lack the products M[r][i]·N[i][c] with i = 2 to 5, 7. "
            "Which pass of your loops should load and add the first missing one: does it run, and with which "
            "indices?");
}

/// "And so do 3 more" is no word on those that lack yet others.
TEST_F(ProductFormula, SaysWhereOthersLackOtherProducts) {
  contract_ = {.rows = 2, .inner = 8, .columns = 3};
  probed_ = Made(contract_, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < 8; ++i) {
      if (row == 0 || i < 2 || (i == 6 && column < 2)) sum.push_back({row * 8 + i, i * 3 + column, 1});
    }
    return sum;
  });
  EXPECT_EQ(English(FactsOfProduct(contract_, probed_).sentences.back()),
            "P[1][0] and 1 more element, for example, lack the products M[r][i]·N[i][c] with i = 2 to 5, 7. "
            "Which pass of your loops should load and add the first missing one: does it run, and with which "
            "indices?");
}

/// Rows y and y + 8 of a block, stored as rows 2y and 2y + 1: only some of the sums exist. As if rows of P
/// were twice as long, but for the zeros between them.
TEST_F(ProductFormula, ASumThatDoesNotExistIsNoLongerRowOfP) {
  probed_ = Made(contract_, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < kInner && row % 2 == 0; ++i) sum.push_back({M(row / 2, i), N(i, column), 1});
    return sum;
  });
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(facts.p_row_length, 0);
  EXPECT_EQ(First(facts),
            "P[2][0] holds the complete sum that belongs to P[1][0]: the thread that stores P[2][0] adds the "
            "products of another row or column. Compare the row and the column in the line that adds with "
            "those in the line that stores.");
  for (FoundFormula& formula : probed_.formulas) formula.before_times = formula.terms.empty();
  EXPECT_EQ(FactsOfProduct(contract_, probed_).p_row_length, 2 * kColumns)
      << "with nothing between them it is";
}

TEST_F(ProductFormula, TellsSumsThatBeginWithWhatWasThere) {
  Facts(M, N);
  for (FoundFormula& formula : probed_.formulas) formula.before_times = 1;
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(facts.adds_before, 20u);
  EXPECT_EQ(
      First(facts),
      "Every sum in P includes what P held before the call. Store the sum instead of adding it to P; or, if "
      "your code has to add, set P to 0 first.");
  // What is added may be nothing at all: that is no element that nobody stores.
  probed_.formulas[7].terms.clear();
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "The sums in P[0][0] and 18 more elements include what P held before the call. Store the "
            "sum instead of adding it to P; or, if your code has to add, set P to 0 first.");
}

TEST_F(ProductFormula, TellsWhatIsAddedBesidesProducts) {
  Facts(M, N);
  contract_.tile = 16;
  probed_.formulas[0].constant = 13;
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "P[0][0] is too large by 13, 1 for each of the 13 tile elements past the edge, which should hold "
            "0. What "
            "does your code store there?");
  probed_.formulas[0].constant = -2;  // 13 places without an element do not make that.
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "P[0][0] is too small by 2, even if M and N hold only zeros: something besides the products is "
            "added. What does the sum start from?");
}

/// With tiles of 4 and k = 18, one phase of five, or four: as many products as another side has, by chance.
TEST_F(ProductFormula, WholeTilesAreNoOtherSide) {
  contract_ = {.rows = 3, .inner = 18, .columns = 4, .tile = 4};
  const Index m = [](int row, int i) { return row * 18 + i; },
              n = [](int i, int column) { return i * 4 + column; };
  const ProductFacts facts = Facts(m, n, 4);
  EXPECT_FALSE(facts.products_of_another_side);
  EXPECT_EQ(First(facts),
            "Too few phases run: each sum ends after the product with i = 3. That is 1 phase with tiles of "
            "4, but a "
            "sum of k = 18 products takes 5. How does your code count its phases?");
  contract_.has_tiles = false;
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "Each sum has 4 products, as many as l, instead of k = 18, so M[r][i]·N[i][c] with i = 4 to 17 "
            "are missing. Which length ends your loop?");
  EXPECT_TRUE(FactsOfProduct(contract_, probed_).products_of_another_side);
}

/// With tiles of 4 and k = 3, the place that has no element: as many products as j, by chance.
TEST_F(ProductFormula, FullTilesAreNoOtherSide) {
  contract_.tile = 4;
  const ProductFacts facts = Facts(M, N, 4);
  EXPECT_FALSE(facts.products_of_another_side);
  EXPECT_EQ(First(facts),
            "Each sum has 4 products instead of k = 3, because the last tile is used as if it were full. "
            "What should a tile element past the edge hold?");
}

/// `sum = a * b`: each product replaces the one before.
TEST_F(ProductFormula, OnlyTheLastProductIsLeft) {
  contract_ = {.rows = 4, .inner = 8, .columns = 5};
  const ProductFacts facts =
      Facts([](int row, int) { return row * 8 + 7; }, [](int, int column) { return 7 * 5 + column; }, 1);
  EXPECT_EQ(
      English(facts.sentences),
      std::vector<std::string>{"Each sum holds only its last product, M[r][7]·N[7][c], as if each product "
                               "replaced the one before. Does the line that adds have `=` in place of `+=`, "
                               "or is the sum set to 0 inside its loop?"});
}

/// The first and all from the fourth on: three products are left, and not four, as many as j.
TEST_F(ProductFormula, ASumWithGapsHasNoOtherSidesNumber) {
  contract_ = {.rows = 4, .inner = 8, .columns = 5};
  const Index m = [](int row, int i) { return row * 8 + i + 1; },
              n = [](int i, int column) { return (i + 1) * 5 + column; };
  const ProductFacts facts = Facts(m, n, 3);
  EXPECT_FALSE(facts.products_of_another_side);
  EXPECT_EQ(
      English(facts.sentences),
      (std::vector<std::string>{
          "Each sum lacks its first product, M[r][0]·N[0][c]. Follow this product through your code: is it "
          "added, "
          "and what happens to the sum afterwards?",
          "Each sum lacks the products M[r][i]·N[i][c] with i = 4 to 7. Which pass of "
          "your loops should load and add the first missing one: does it run, and with which indices?"}));
  // Nor is the last one that is there their number, where one before it is missing.
  const Index far_m = [](int row, int i) { return row * 8 + i + 1; };
  const ProductFacts too_far = Facts(far_m, n, 9);
  EXPECT_FALSE(too_far.products_of_another_side);
  EXPECT_EQ(English(too_far.sentences.back()),
            "Sums include products M[r][i]·N[i][c] with i = 8 and 9, but here i must not go beyond 7. Find "
            "the line that loads elements of M or N with such an i, and let it check i first.");
}

/// Of two sums that are stored, in the wrong places, several lengths of a row are no fact.
TEST_F(ProductFormula, TwoSumsGiveNoRowLength) {
  contract_ = {.rows = 4, .inner = 3, .columns = 5};
  probed_ = Made(contract_, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < kInner && row == 0 && column == 1; ++i) sum.push_back({M(1, i), N(i, 0), 1});
    return sum;
  });
  for (FoundFormula& formula : probed_.formulas) formula.before_times = formula.terms.empty();
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_EQ(facts.p_row_length, 0);
  EXPECT_EQ(First(facts),
            "P[0][1] holds the complete sum that belongs to P[1][0]: the thread that stores P[0][1] adds the "
            "products of another row or column. Compare the row and the column in the line that adds with "
            "those in the line that stores.");
}

TEST_F(ProductFormula, FactorsOfUnlikeIAreShown) {
  const Index n = [](int i, int column) { return (kInner - 1 - i) * kColumns + column; };
  EXPECT_EQ(First(Facts(M, n)),
            "M[0][0] is multiplied by N[2][0], but both factors of a product need the same i. Find the line "
            "that multiplies these two, and compare their indices.");
}

/// Nothing is said of all elements where the formulas of some are not known.
TEST_F(ProductFormula, ElementsThatAreNotKnownAreNoneOfAll) {
  Facts(M, N, 0);
  probed_.formulas[0].known = false;
  const ProductFacts zeros = FactsOfProduct(contract_, probed_);
  EXPECT_FALSE(zeros.all_zero);
  EXPECT_EQ(English(zeros.sentences),
            (std::vector<std::string>{"P[0][1] and 18 more elements are 0: they contain no products. Which "
                                      "threads store to P[0][1], and what?"}));
  Facts(M, N);
  for (FoundFormula& formula : probed_.formulas) {
    formula.known = formula.element != 19;
    if (formula.element < 10) continue;
    formula.terms.clear();
    formula.before_times = 1;
  }
  EXPECT_EQ(First(FactsOfProduct(contract_, probed_)),
            "9 elements of P are never stored; the first is P[2][0].");
}

TEST_F(ProductFormula, TellsSumsWithoutAnyProduct) {
  const ProductFacts facts = Facts(M, N, 0);
  EXPECT_EQ(English(facts.sentences),
            (std::vector<std::string>{"Every sum in P is 0, because no product reaches P.",
                                      "Follow the product M[0][0]·N[0][0] through your code. Does the line "
                                      "that should add it have `+=`, or does `=` replace the sum so far? Is "
                                      "that sum the one stored in P[0][0]?"}));
}

TEST_F(ProductFormula, NamesTheTermsWhereNothingElseFits) {
  const ProductFacts facts = Facts([](int r, int i) { return r == 2 && i == 1 ? 0 : M(r, i); }, N);
  EXPECT_EQ(
      English(AdviceFrom({facts.sentences.back()})),
      "The sum in P[2][0] has the product M[0][0]·N[1][0] instead of M[2][1]·N[1][0]. Where is the index of "
      "M[0][0] computed, for the thread that stores P[2][0], and why is it not that of M[2][1]?");
}

TEST_F(ProductFormula, AnElementThatNoSumUsesWasNotLoaded) {
  // A pointer into N that moves on by a tile along its row, not down.
  const Index wrong = [](int i, int column) { return i < 2 ? N(i, column) : N(i - 2, column + 2); };
  contract_.tile = 2;
  const auto last = [](const ProductFacts& facts) { return English(facts.sentences.back()); };
  EXPECT_EQ(last(Facts(M, wrong)),
            "The sum in P[0][0] has the product M[0][2]·N[0][2] instead of M[0][2]·N[2][0], and no sum uses "
            "N[2][0]. "
            "Which thread should load N[2][0], and which address does it read in that phase?");
  const Index used = [](int i, int column) { return i < 2 || column > 0 ? N(i, column) : N(0, 2); };
  const auto other = [&](int i, int column) { return i == 0 && column == 4 ? N(2, 0) : used(i, column); };
  EXPECT_TRUE(last(Facts(M, other)).ends_with("and why is it not that of N[2][0]?")) << "P[0][4] uses it";
  contract_.tile = 16;
  EXPECT_TRUE(last(Facts(M, wrong)).ends_with("and why is it not that of N[2][0]?")) << "there is one phase";
}

/// "It lacks all its products" hides that another row's sum may stand elsewhere.
TEST_F(ProductFormula, ASumWithoutAnyProductIsCalledZero) {
  probed_ = Made(contract_, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < kInner && row == 0; ++i) sum.push_back({M(row, i), N(i, column), 1});
    return sum;
  });
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  EXPECT_TRUE(facts.wrong_is_zero);
  EXPECT_FALSE(facts.all_zero);
  EXPECT_EQ(English(facts.sentences),
            (std::vector<std::string>{"P is right up to row 0 and wrong from row 1 on.",
                                      "P[1][0] and 14 more elements are 0: they contain no products. Which "
                                      "threads store to P[1][0], and what?"}));
  EXPECT_TRUE(
      English(AdviceFrom(facts.sentences)).ends_with("P is right up to row 0 and wrong from row 1 on."))
      << "what is wrong comes before where";
}

TEST_F(ProductFormula, SidesWithTheSameElementsUnlikeOftenAreToldByTheirTerms) {
  const ProductFacts facts = Facts([](int r, int i) { return M(r, i == 1 ? 2 : i); }, N);
  EXPECT_EQ(
      English(facts.sentences.back()),
      "The sum in P[0][0] has the product M[0][2]·N[1][0] instead of M[0][1]·N[1][0]. Where is the index of "
      "M[0][2] computed, for the thread that stores P[0][0], and why is it not that of M[0][1]?");
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
  EXPECT_EQ(English(explanation.call), "4 x 3 times 3 x 5");
  ASSERT_EQ(explanation.elements.size(), 3u);
  const ElementFormula& first = explanation.elements.front();
  EXPECT_EQ(first.element, "P[1][0]");
  EXPECT_EQ(first.yours.front().factors, (std::vector<std::string>{"M[1][1]", "N[0][0]"}));
  EXPECT_EQ(first.right.front().factors, (std::vector<std::string>{"M[1][0]", "N[0][0]"}));
}

/// A row of sums without products comes before the one that the sentence is about.
TEST_F(ProductFormula, ShowsTheElementThatItsFirstFactNames) {
  Facts(M, N);
  const auto right = probed_.formulas;
  for (int c = 0; c < kColumns; ++c) {
    probed_.formulas[static_cast<std::size_t>(kColumns + c)].terms.clear();
    probed_.formulas[static_cast<std::size_t>(3 * kColumns + c)].terms =
        right[static_cast<std::size_t>(kColumns + c)].terms;
  }
  const ProductFacts facts = FactsOfProduct(contract_, probed_);
  ASSERT_TRUE(First(facts).starts_with("P[3][0] holds the complete sum")) << First(facts);
  const Explanation explanation = ExplainProduct(contract_, probed_, facts);
  ASSERT_EQ(explanation.elements.size(), 3u);
  EXPECT_EQ(explanation.elements[0].element, "P[3][0]");
  EXPECT_EQ(explanation.elements[1].element, "P[1][0]");
}

TEST(SumOfAnother, TellsASumThatGoesOnFromAnotherElements) {
  const std::vector<double> expected = {1.25, -7.5, 3.1, 11.7, 0.6, -2.3, 5.9, 8.2}, bounds(8, 1e-6);
  std::vector<float> actual(expected.begin(), expected.end());
  std::vector<bool> is_wrong(8);
  const auto says = [&] { return English(SumOfAnother("P", 4, actual, expected, bounds, is_wrong)); };
  EXPECT_EQ(says(), "");
  for (const std::size_t e : {4, 5, 6, 7}) {
    is_wrong[e] = true;
    actual[e] = static_cast<float>(expected[e] + expected[e - 4]);
  }
  EXPECT_EQ(
      says(),
      "The sum in P[1][0] seems not to begin at 0: it holds its own products and those of P[0][0]. Where "
      "does your code set the sum to 0 for each of the two?");
  for (const std::size_t e : {4, 5, 6, 7}) actual[e] = static_cast<float>(expected[e - 4]);
  EXPECT_EQ(
      says(),
      "P[1][0] holds the sum that belongs to P[0][0]. Which row and column does its thread compute, and "
      "to which index does it store?");
  actual[6] = 0.5;
  EXPECT_EQ(says(), "") << "two may meet by chance";
  // Below one another, too: the last column of three rows.
  actual = {1.25f, -7.5f, 3.1f, 11.7f, 0.6f, -2.3f, 5.9f, 8.2f, 0.4f};
  const std::vector<double> tall(actual.begin(), actual.end()), tight(9, 1e-6);
  is_wrong = {false, false, true, false, false, true, false, false, true};
  for (const std::size_t e : {2, 5, 8}) actual[e] += static_cast<float>(tall[e - 2]);
  EXPECT_EQ(SumOfAnother("P", 3, actual, tall, tight, is_wrong),
            say::values_sum_on_top("P[0][2]", "P[0][0]"));
}

TEST(PartOfSums, TellsWhichProductsAllElementsHave) {
  const std::vector<float> m = {1, 2, 3, 4, 5, 6}, n = {7, 8, 9, 10, 11, 12};  // 2 x 3 times 3 x 2
  EXPECT_EQ(English(PartOfSums(m, n, {7 + 18, 8 + 20, 28 + 45, 32 + 50}, 2, 3, 2)),
            "Each sum in P stops after the product M[r][1]·N[1][c]; 3 products are needed. Which pass of "
            "your loops "
            "should add the next one, M[r][2]·N[2][c], and does it run?");
  EXPECT_EQ(English(PartOfSums(m, n, {18 + 33, 20 + 36, 45 + 66, 50 + 72}, 2, 3, 2)),
            "Each sum in P begins with the product with i = 1; all 3 are needed. Which line overwrites or "
            "skips the earlier ones?");
  EXPECT_EQ(English(PartOfSums(m, n, {7 + 18, 8 + 20, 28 + 45, 50 + 72}, 2, 3, 2)), "") << "not all alike";
  EXPECT_EQ(English(PartOfSums(m, n, {58, 64, 139, 154}, 2, 3, 2)), "");
}

TEST(SquareOfOne, TellsWhichMatrixIsBothFactors) {
  const std::vector<float> m = {1, 2, 3, 4}, n = {5, 6, 7, 8};
  EXPECT_EQ(English(SquareOfOne(m, n, {7, 10, 15, 22}, 2)),
            "P holds M x M; N is not used at all. Follow both factors of a product back to their pointers: "
            "where should N come in?");
  EXPECT_EQ(SquareOfOne(m, n, {67, 78, 91, 106}, 2), say::values_square_of_one("N", "M"));
  EXPECT_EQ(SquareOfOne(m, n, {19, 22, 43, 50}, 2), Message()) << "M x N";
}

TEST(ProductOfSquares, ThatIsSubtractedIsNotAddedOften) {
  const ProductContract contract{.rows = 3, .inner = 3, .columns = 3};
  const ProbeResult probed = Made(contract, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < 3; ++i) sum.push_back({row * 3 + i, i * 3 + column, -1});
    return sum;
  });
  EXPECT_EQ(First(FactsOfProduct(contract, probed)),
            "P[0][0] has M[0][0]\u00b7N[0][0] and 2 more subtracted instead of added. Check the sign in the "
            "line that adds.");
}

TEST(ProductOfRectangles, ThatIsTheOtherWayRoundIsCalledSo) {
  const ProductContract contract{.rows = 5, .inner = 3, .columns = 7};
  const ProbeResult probed = Made(contract, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < 3; ++i) sum.push_back({i * 7 + column, row * 3 + i, 1});
    return sum;
  });
  EXPECT_TRUE(First(FactsOfProduct(contract, probed)).starts_with("M and N are swapped, "));
  EXPECT_FALSE(FactsOfProduct(contract, probed).m_turned);
}

TEST(ProductOfSquares, ThatIsTheOtherWayRoundIsCalledSo) {
  const ProductContract contract{.rows = 3, .inner = 3, .columns = 3};
  const ProbeResult probed = Made(contract, [](int row, int column) {
    Sum sum;
    for (int i = 0; i < 3; ++i) sum.push_back({i * 3 + column, row * 3 + i, 1});
    return sum;
  });
  EXPECT_TRUE(First(FactsOfProduct(contract, probed)).starts_with("M and N are swapped, "));
  EXPECT_EQ(FactsOfProduct(contract, probed).lacking, 9u);
}

TEST(PrecisionFact, TellsHalvesFromWrongIndices) {
  const std::vector<double> expected = {1, 2, -3, 4}, sizes = {2, 2, 4, 4};
  const std::vector<double> halves = {1.0004, 2.0003, -3.0005, 4.0002};
  EXPECT_EQ(PrecisionFact(halves, expected, sizes),
            say::values_too_few_digits("2e-04", say::digits_of_half()));
  EXPECT_EQ(PrecisionFact({1.5, 2, -2, 4}, expected, sizes), Message());
  EXPECT_EQ(PrecisionFact({1, 2, -3, 4.0005}, expected, sizes), Message()) << "one element is off, not all";
  EXPECT_EQ(PrecisionFact({1 + 1e-5, 2 + 1e-5, -3 + 1e-5, 4 + 1e-5}, expected, sizes), Message());
}

}  // namespace
}  // namespace warplings
