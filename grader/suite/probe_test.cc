// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/probe.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "grader/suite/random_values.h"

namespace warplings {
namespace {

using Output = std::optional<std::vector<float>>;

/// A host function of A, B and the initial output; it may read a little outside A and B.
float Read(const ProbeMemory& memory, ElementIndex index) {
  return memory.values[static_cast<std::size_t>(index + static_cast<ElementIndex>(ProbeMemory::kFront))];
}

/// P = M x N with M rows x inner; `m_row` and `n_row`: the row lengths that it takes.
struct Product {
  int rows, inner, columns;
  int m_row = 0, n_row = 0;
  Output operator()(const ProbeMemory& m, const ProbeMemory& n, std::span<const float> before) const {
    std::vector<float> p(before.begin(), before.end());
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        float sum = 0;
        for (int i = 0; i < inner; ++i) {
          sum += Read(m, r * (m_row ? m_row : inner) + i) * Read(n, i * (n_row ? n_row : columns) + c);
        }
        p[static_cast<std::size_t>(r * columns + c)] = sum;
      }
    }
    return p;
  }
};

ProbeResult Probe(const ProbedFunction& function, int rows, int inner, int columns,
                  const ProbeLimits& limits = {.waiting = std::chrono::minutes(1)}) {
  return ProbeBilinear(function, static_cast<std::size_t>(rows * inner),
                       static_cast<std::size_t>(inner * columns), static_cast<std::size_t>(rows * columns),
                       limits);
}

std::size_t KnownOf(const ProbeResult& result) {
  return static_cast<std::size_t>(std::ranges::count(result.formulas, true, &FoundFormula::known));
}

TEST(ProbeBilinear, FindsEachProductOfARightFunction) {
  const ProbeResult result = Probe(Product{5, 7, 6}, 5, 7, 6);
  ASSERT_EQ(KnownOf(result), 30u);
  EXPECT_FALSE(result.leaves_a || result.leaves_b);
  for (ElementIndex e = 0; e < 30; ++e) {
    const FoundFormula& formula = result.formulas[static_cast<std::size_t>(e)];
    ASSERT_EQ(formula.terms.size(), 7u) << e;
    for (ElementIndex i = 0; i < 7; ++i) {
      const ProbeTerm expected{e / 6 * 7 + i, i * 6 + e % 6, 1};
      EXPECT_EQ(formula.terms[static_cast<std::size_t>(i)], expected) << e;
    }
    EXPECT_EQ(formula.before_times, 0);
    EXPECT_EQ(formula.constant, 0);
  }
  EXPECT_LT(result.calls, 60);
}

/// As where loads are clamped to the edge: the last product once for each place of the tile behind it.
TEST(ProbeBilinear, FindsWhatTakesPartMoreOftenThanADigitOf16Holds) {
  const auto clamped = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    std::vector<float> p;
    for (int e = 0; e < 9; ++e) {
      float sum = 0;
      for (int i = 0; i < 16; ++i)
        sum += Read(m, e / 3 * 3 + std::min(i, 2)) * Read(n, std::min(i, 2) * 3 + e % 3);
      p.push_back(sum);
    }
    return p;
  };
  const ProbeResult result = Probe(clamped, 3, 3, 3);
  ASSERT_EQ(KnownOf(result), 9u);
  EXPECT_EQ(result.formulas[0].terms, (std::vector<ProbeTerm>{{0, 0, 1}, {1, 3, 1}, {2, 6, 14}}));
}

TEST(ProbeBilinear, NamesWhatLiesBehindAnArray) {
  const ProbeResult result = Probe(Product{2, 3, 4, 4}, 2, 3, 4);
  ASSERT_EQ(KnownOf(result), 8u);
  EXPECT_TRUE(result.leaves_a);
  EXPECT_FALSE(result.leaves_b);
  EXPECT_EQ(result.formulas[4].terms.back(), (ProbeTerm{6, 8, 1}));  // M has elements 0 to 5.
}

TEST(ProbeBilinear, NamesWhatLiesBeforeAnArray) {
  const auto early = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    return std::vector<float>{Read(m, -2) * Read(n, 0)};
  };
  const ProbeResult result = Probe(early, 1, 1, 1);
  ASSERT_EQ(KnownOf(result), 1u);
  EXPECT_EQ(result.formulas[0].terms, (std::vector<ProbeTerm>{{-2, 0, 1}}));
}

/// Only the part in which something is read is taken apart: 32 elements of 192.
TEST(ProbeBilinear, LooksAtThePartBehindAnArrayThatIsRead) {
  const ProbeResult inside = Probe(Product{6, 6, 6}, 6, 6, 6), outside = Probe(Product{6, 6, 6, 7}, 6, 6, 6);
  ASSERT_EQ(KnownOf(outside), 36u);
  EXPECT_TRUE(outside.leaves_a);
  EXPECT_EQ(outside.formulas.back().terms.back(), (ProbeTerm{40, 35, 1}));
  EXPECT_LE(outside.calls, inside.calls + 4 + 32 / 12 + 1);
}

/// 64 times something of one part: its digit to base 64 is 0, as if nothing of it were read.
TEST(ProbeBilinear, FindsAPartOfWhichOneSumReadsVeryMuch) {
  constexpr int kElements = 32;
  const auto function = [](const ProbeMemory& a, const ProbeMemory& b, std::span<const float>) -> Output {
    float sum = 0;
    for (int i = 1; i <= kElements; ++i) sum += 2 * Read(a, -i) * Read(b, i % 2);
    return std::vector<float>{sum, Read(a, 0) * Read(b, 0)};
  };
  const ProbeResult result = ProbeBilinear(function, 2, 2, 2, {.calls = 400});
  ASSERT_EQ(KnownOf(result), 2u);
  EXPECT_EQ(result.formulas[0].terms.size(), std::size_t{kElements});
}

TEST(ProbeBilinear, CountsTimesSignsConstantsAndLoneFactors) {
  const auto odd = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float> before) -> Output {
    return std::vector<float>{3 * Read(m, 0) * Read(n, 1) - Read(m, 1) * Read(n, 0) + 15,
                              before[1] + Read(m, 1) + 2 * Read(n, 1), before[2]};
  };
  const ProbeResult result = ProbeBilinear(odd, 2, 2, 3);
  ASSERT_EQ(KnownOf(result), 3u);
  EXPECT_EQ(result.formulas[0].terms, (std::vector<ProbeTerm>{{0, 1, 3}, {1, 0, -1}}));
  EXPECT_EQ(result.formulas[0].constant, 15);
  EXPECT_EQ(result.formulas[1].before_times, 1);
  EXPECT_FALSE(result.formulas[1].IsUntouched());
  EXPECT_EQ(result.formulas[1].terms, (std::vector<ProbeTerm>{{kNoElement, 1, 2}, {1, kNoElement, 1}}));
  EXPECT_TRUE(result.formulas[2].IsUntouched());
}

/// An element of M that stands in two products, each with another element of N.
TEST(ProbeBilinear, FindsTwoPartnersOfOneElement) {
  const auto twice = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    return std::vector<float>{Read(m, 0) * (Read(n, 0) + Read(n, 2)) + Read(m, 1) * Read(n, 1)};
  };
  const ProbeResult result = ProbeBilinear(twice, 3, 3, 1);
  ASSERT_EQ(KnownOf(result), 1u);
  EXPECT_EQ(result.formulas[0].terms, (std::vector<ProbeTerm>{{0, 0, 1}, {0, 2, 1}, {1, 1, 1}}));
}

TEST(ProbeBilinear, WorksWithoutAnyProduct) {
  const auto zeros = [](const ProbeMemory&, const ProbeMemory&, std::span<const float> before) -> Output {
    return std::vector<float>(before.size());
  };
  const ProbeResult result = Probe(zeros, 2, 0, 3);
  ASSERT_EQ(KnownOf(result), 6u);
  EXPECT_TRUE(result.formulas[5].terms.empty());
  EXPECT_EQ(result.formulas[5].before_times, 0);
}

// --- What must not be believed. ---

TEST(ProbeBilinear, ClaimsNothingOfAFunctionThatIsNotLinear) {
  const auto square = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    return std::vector<float>{Read(m, 0) * Read(m, 0) * Read(n, 0), Read(m, 1) * Read(n, 1)};
  };
  const ProbeResult result = ProbeBilinear(square, 2, 2, 2);
  ASSERT_EQ(result.formulas.size(), 2u);
  EXPECT_FALSE(result.formulas[0].known);
  EXPECT_TRUE(result.formulas[1].known) << "the other element is what it is";
}

TEST(ProbeBilinear, ClaimsNothingOfRandomAnswers) {
  RandomValues random(3);
  const auto dice = [&](const ProbeMemory&, const ProbeMemory&, std::span<const float>) -> Output {
    return std::vector<float>{static_cast<float>(random.Below(100)), static_cast<float>(random.Below(100))};
  };
  EXPECT_EQ(KnownOf(ProbeBilinear(dice, 4, 4, 2)), 0u);
}

TEST(ProbeBilinear, ClaimsNothingOfAFunctionThatChangesWithTime) {
  int call = 0;
  const auto drifting = [&](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    return std::vector<float>{Read(m, 0) * Read(n, 0) + static_cast<float>(++call)};
  };
  EXPECT_EQ(KnownOf(ProbeBilinear(drifting, 2, 2, 1)), 0u);
}

/// It computes the product when it is given few numbers that are not 0, and rubbish otherwise.
TEST(ProbeBilinear, IsNotTakenInByWhoeverRecognisesAProbe) {
  const auto actor = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float> before) -> Output {
    std::size_t nonzero = 0;
    for (int i = 0; i < 12; ++i) nonzero += Read(m, i) != 0;
    auto p = Product{3, 4, 2}(m, n, before);
    if (nonzero > 6) (*p)[0] += 1;
    return p;
  };
  const ProbeResult result = Probe(actor, 3, 4, 2);
  ASSERT_EQ(result.formulas.size(), 6u);
  EXPECT_FALSE(result.formulas[0].known);
}

TEST(ProbeBilinear, PassesOverWhatIsNotANumber) {
  const auto broken = [](const ProbeMemory& m, const ProbeMemory& n,
                         std::span<const float> before) -> Output {
    auto p = Product{2, 3, 4}(m, n, before);
    (*p)[1] = std::numeric_limits<float>::quiet_NaN();
    (*p)[2] = std::numeric_limits<float>::infinity();
    (*p)[3] = 0.5f;
    return p;
  };
  const ProbeResult result = Probe(broken, 2, 3, 4);
  ASSERT_EQ(KnownOf(result), 5u);
  EXPECT_FALSE(result.formulas[1].known || result.formulas[2].known || result.formulas[3].known);
}

TEST(ProbeBilinear, EndsWithTheFirstCallThatFails) {
  int calls = 0;
  const auto crashing = [&](const ProbeMemory& m, const ProbeMemory& n,
                            std::span<const float> before) -> Output {
    if (++calls == 5) return std::nullopt;
    return Product{2, 3, 4}(m, n, before);
  };
  const ProbeResult result = Probe(crashing, 2, 3, 4);
  EXPECT_TRUE(result.formulas.empty());
  EXPECT_EQ(calls, 5);
}

/// Waits in each call, and says that the kernels of one executed so many instructions.
ProbedFunction Slow(std::chrono::milliseconds wait, std::uint64_t warp_instructions) {
  return [=](const ProbeMemory& m, const ProbeMemory& n,
             std::span<const float> before) -> std::optional<ProbeAnswer> {
    std::this_thread::sleep_for(wait);
    return ProbeAnswer(*Product{2, 3, 4}(m, n, before), warp_instructions);
  };
}

TEST(ProbeBilinear, EndsWhenItsInstructionsAreUsedUp) {
  const ProbedFunction function = Slow({}, 1000);
  const ProbeResult result = Probe(function, 2, 3, 4, {.calls = 1000, .warp_instructions = 4500});
  EXPECT_TRUE(result.formulas.empty());
  EXPECT_EQ(result.calls, 5) << "the one that passes the limit is the last";
  EXPECT_EQ(KnownOf(Probe(function, 2, 3, 4, {.calls = 1000, .warp_instructions = 1'000'000})), 8u);
}

TEST(ProbeBilinear, EndsWhenItHasWaitedLongEnough) {
  const ProbeResult result = Probe(Slow(std::chrono::milliseconds(20), 1), 2, 3, 4,
                                   {.calls = 1000, .waiting = std::chrono::milliseconds(50)});
  EXPECT_TRUE(result.formulas.empty());
  EXPECT_LE(result.calls, 4);
}

/// As on a machine where others have the processor: what a call costs counts, and not how long it takes.
TEST(ProbeBilinear, FindsTheSameHoweverLongACallTakes) {
  const ProbeResult quick = Probe(Slow({}, 1000), 2, 3, 4, {}),
                    slow = Probe(Slow(std::chrono::milliseconds(5), 1000), 2, 3, 4, {});
  EXPECT_EQ(KnownOf(slow), 8u);
  EXPECT_EQ(slow.calls, quick.calls);
  // The limit on waiting is no limit for a machine that is some ten times slower: a call takes about 1 ms.
  EXPECT_GE(ProbeLimits().waiting, 100 * std::chrono::milliseconds(ProbeLimits().calls));
}

TEST(ProbeBilinear, MakesNoMoreCallsThanAllowed) {
  const ProbeResult result = Probe(Product{5, 7, 6}, 5, 7, 6, {.calls = 9});
  EXPECT_TRUE(result.formulas.empty());
  EXPECT_EQ(result.calls, 9);
}

// --- What is supposed of a product. ---

ProbeResult ProbeSupposing(const ProbedFunction& function, const ProductShape& shape, int calls = 1000) {
  return ProbeProduct(function, shape, {.calls = calls, .waiting = std::chrono::minutes(1)});
}

/// The same formulas as without the supposition.
void ExpectSameFormulas(const ProbeResult& one, const ProbeResult& other) {
  ASSERT_EQ(one.formulas.size(), other.formulas.size());
  for (std::size_t e = 0; e < one.formulas.size(); ++e) {
    EXPECT_EQ(one.formulas[e].known, other.formulas[e].known) << e;
    EXPECT_EQ(one.formulas[e].terms, other.formulas[e].terms) << e;
    EXPECT_EQ(one.formulas[e].constant, other.formulas[e].constant) << e;
    EXPECT_EQ(one.formulas[e].before_times, other.formulas[e].before_times) << e;
  }
}

TEST(ProbeProduct, FindsARightProductInAThirdOfTheCalls) {
  const Product product{18, 18, 18};
  const ProbeResult supposed = ProbeSupposing(product, {18, 18, 18}), plain = Probe(product, 18, 18, 18);
  EXPECT_EQ(KnownOf(supposed), 324u);
  ExpectSameFormulas(supposed, plain);
  EXPECT_LE(3 * supposed.calls, plain.calls + 10);
}

/// Lost and repeated products, other rows, signs, constants, what the output held, and fractions.
TEST(ProbeProduct, FindsWrongProductsOfOneElementForEachI) {
  constexpr int kRows = 6, kInner = 9, kColumns = 5;
  const auto function = [](const ProbeMemory& m, const ProbeMemory& n,
                           std::span<const float> before) -> Output {
    std::vector<float> p(before.begin(), before.end());
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kColumns; ++c) {
        float& element = p[static_cast<std::size_t>(r * kColumns + c)];
        if (r == 5) continue;
        element = r == 4 ? element : r == 3 ? 7.0f : 0.0f;
        for (int i = 0; i < (c == 1 ? 4 : kInner); ++i) {
          const float product = Read(m, (c == 2 ? (r + 2) % kRows : r) * kInner + i) *
                                Read(n, i * kColumns + (r == 1 && c < 2 ? 1 - c : c));
          element += c == 3 && i > 5 ? 2 * product : c == 4 && i == 0 ? -product : product;
        }
        if (r == 2 && c == 0) element += 0.5f;
      }
    }
    return p;
  };
  const ProbeResult supposed = ProbeSupposing(function, {kRows, kInner, kColumns});
  const ProbeResult plain = Probe(function, kRows, kInner, kColumns);
  EXPECT_EQ(KnownOf(supposed), 29u);
  ExpectSameFormulas(supposed, plain);
  EXPECT_LT(supposed.calls, plain.calls);
}

/// Each element of A meets one of B of the next i.
TEST(ProbeProduct, FindsPartnersOfAnotherI) {
  const auto function = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    std::vector<float> p(16);
    for (int e = 0; e < 16; ++e) {
      for (int i = 0; i < 3; ++i)
        p[static_cast<std::size_t>(e)] += Read(m, e / 4 * 4 + i) * Read(n, (i + 1) * 4 + e % 4);
    }
    return p;
  };
  const ProbeResult supposed = ProbeSupposing(function, {4, 4, 4});
  EXPECT_EQ(KnownOf(supposed), 16u);
  ExpectSameFormulas(supposed, Probe(function, 4, 4, 4));
}

TEST(ProbeProduct, KnowsMatricesByColumns) {
  const auto function = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    std::vector<float> p(6 * 4);
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 4; ++c) {
        for (int i = 0; i < 10; ++i)
          p[static_cast<std::size_t>(r * 4 + c)] += Read(m, i * 6 + r) * Read(n, i * 4 + c);
      }
    }
    return p;
  };
  const ProbeResult supposed = ProbeSupposing(function, {6, 10, 4, true});
  EXPECT_EQ(KnownOf(supposed), 24u);
  ExpectSameFormulas(supposed, Probe(function, 6, 10, 4));
  EXPECT_LE(supposed.calls, 6 + 5 + 5 + 2);
}

/// Row and column interchanged, so that a sum takes one row of B as a whole; lone factors; a row length that
/// leaves the matrix; and two elements whose numbers together look like twice the right one's.
TEST(ProbeProduct, FindsTheSameWhereTheSuppositionDoesNotHold) {
  const auto turned = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    std::vector<float> p(25);
    for (int e = 0; e < 25; ++e) {
      for (int i = 0; i < 5; ++i)
        p[static_cast<std::size_t>(e)] += Read(m, e / 5 * 5 + i) * Read(n, e % 5 * 5 + i);
    }
    return p;
  };
  const auto alone = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    std::vector<float> p(25);
    for (int e = 0; e < 25; ++e) p[static_cast<std::size_t>(e)] = Read(m, e) - 3 * Read(n, 24 - e);
    return p;
  };
  const auto neighbours = [](const ProbeMemory& m, const ProbeMemory& n, std::span<const float>) -> Output {
    std::vector<float> p(25);
    for (int e = 5; e < 20; ++e) {
      p[static_cast<std::size_t>(e)] = (Read(m, (e / 5 - 1) * 5) + Read(m, (e / 5 + 1) * 5)) * Read(n, e % 5);
    }
    return p;
  };
  for (const ProbedFunction& function : {ProbedFunction(turned), ProbedFunction(alone),
                                         ProbedFunction(neighbours), ProbedFunction(Product{5, 5, 5, 6})}) {
    const ProbeResult supposed = ProbeSupposing(function, {5, 5, 5});
    EXPECT_EQ(KnownOf(supposed), 25u);
    ExpectSameFormulas(supposed, Probe(function, 5, 5, 5));
  }
}

TEST(ProbeProduct, LooksNoFurtherForWhatNoScaleFinds) {
  const Product product{5, 7, 6};
  const auto function = [&](const ProbeMemory& a, const ProbeMemory& b,
                            std::span<const float> before) -> Output {
    Output p = product(a, b, before);
    for (std::size_t e = 6; e < p->size(); ++e) (*p)[e] = std::numeric_limits<float>::quiet_NaN();
    return p;
  };
  const ProbeResult result = ProbeSupposing(function, {5, 7, 6});
  EXPECT_EQ(KnownOf(result), 6u);
  EXPECT_LE(result.calls, ProbeSupposing(product, {5, 7, 6}).calls);
  EXPECT_LE(Probe(function, 5, 7, 6).calls, Probe(product, 5, 7, 6).calls);
}

// --- Functions of one input. ---

/// A search that would be cut off is not begun: what is known by then is all that comes of it.
TEST(ProbeBilinear, BeginsNoSearchThatItsCallsDoNotSuffice) {
  const Product product{5, 7, 6};
  const auto function = [&](const ProbeMemory& a, const ProbeMemory& b,
                            std::span<const float> before) -> Output {
    Output p = product(a, b, before);
    (*p)[0] *= (*p)[0];
    return p;
  };
  const int of_one = Probe(product, 5, 7, 6).calls;
  const ProbeResult result = Probe(function, 5, 7, 6, {.calls = 2 * of_one - 5});
  EXPECT_EQ(KnownOf(result), 29u);
  EXPECT_LE(result.calls, of_one + 5);
  EXPECT_GT(Probe(function, 5, 7, 6, {.calls = 1000}).calls, 2 * of_one);
}

TEST(ProbeLinear, FindsWhereElementsLand) {
  const auto reversed = [](const ProbeMemory& x, const ProbeMemory&,
                           std::span<const float> before) -> Output {
    std::vector<float> y(before.begin(), before.end());
    for (std::size_t i = 0; i + 1 < 5000; ++i) y[i] = Read(x, 4999 - static_cast<ElementIndex>(i));
    return y;
  };
  const ProbeResult result = ProbeLinear(reversed, 5000, 5000);
  ASSERT_EQ(KnownOf(result), 5000u);
  EXPECT_EQ(result.formulas[1].terms, (std::vector<ProbeTerm>{{4998, kNoElement, 1}}));
  EXPECT_TRUE(result.formulas[4999].IsUntouched());
  EXPECT_LE(result.calls, 2);
}

/// As where nobody sets the memory that a value comes from.
TEST(ProbeLinear, FindsConstantsBesideWhatIsMoved) {
  const auto function = [](const ProbeMemory& a, const ProbeMemory&, std::span<const float>) -> Output {
    std::vector<float> out(500, -1);
    for (int i = 0; i < 100; ++i) out[static_cast<std::size_t>(i)] = Read(a, 99 - i);
    out[100] = 70;  // As if it were element 5.
    return out;
  };
  const ProbeResult result = ProbeLinear(function, 500, 500);
  ASSERT_EQ(KnownOf(result), 500u);
  EXPECT_EQ(result.formulas[99].terms, (std::vector<ProbeTerm>{{0, kNoElement, 1}}));
  EXPECT_EQ(result.formulas[100].constant, 70);
  EXPECT_TRUE(result.formulas[100].terms.empty());
  EXPECT_EQ(result.formulas[499].constant, -1);
  EXPECT_LE(result.calls, 3);
}

TEST(ProbeLinear, FindsSumsOfSeveral) {
  const auto pairs = [](const ProbeMemory& x, const ProbeMemory&, std::span<const float>) -> Output {
    return std::vector<float>{Read(x, 0) + Read(x, 1), Read(x, 2) + 2 * Read(x, 3)};
  };
  const ProbeResult result = ProbeLinear(pairs, 4, 2);
  ASSERT_EQ(KnownOf(result), 2u);
  EXPECT_EQ(result.formulas[1].terms, (std::vector<ProbeTerm>{{2, kNoElement, 1}, {3, kNoElement, 2}}));
}

/// Steps that double what is added in vain: lane 31 of a warp has its own element 32 times after five.
TEST(ProbeLinear, FindsWhatIsAddedVeryOften) {
  const auto doubling = [](const ProbeMemory& x, const ProbeMemory&, std::span<const float>) -> Output {
    return std::vector<float>{Read(x, 0) + 25 * Read(x, 1) + 1025 * Read(x, 2), Read(x, 3)};
  };
  const ProbeResult result = ProbeLinear(doubling, 4, 2);
  ASSERT_EQ(KnownOf(result), 2u);
  EXPECT_EQ(result.formulas[0].terms,
            (std::vector<ProbeTerm>{{0, kNoElement, 1}, {1, kNoElement, 25}, {2, kNoElement, 1025}}));
  EXPECT_EQ(result.formulas[1].terms, (std::vector<ProbeTerm>{{3, kNoElement, 1}}));
}

/// Before it begins it is known whether there are calls enough.
TEST(ProbeLinear, TakesSumsApartInAsManyCallsAsItSays) {
  const auto sum = [](std::size_t count) -> ProbedFunction {
    return [count](const ProbeMemory& x, const ProbeMemory&, std::span<const float>) -> Output {
      float total = 0;
      for (std::size_t i = 0; i < count; ++i) total += Read(x, static_cast<ElementIndex>(i));
      return std::vector<float>{total};
    };
  };
  const ProbeLimits just{.calls = CallsToTakeApart(500)};
  EXPECT_EQ(KnownOf(ProbeLinear(sum(500), 500, 1, just)), 1u);
  const ProbeResult none = ProbeLinear(sum(600), 600, 1, just);
  EXPECT_EQ(KnownOf(none), 0u);
  EXPECT_LE(none.calls, 2);
}

Output SumOf(const ProbeMemory& x, std::size_t count, const std::function<int(std::size_t)>& times) {
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += static_cast<float>(times(i)) * Read(x, static_cast<ElementIndex>(i));
  return std::vector<float>{sum};
}

TEST(ProbeCounts, FindsWhatIsCountedTwiceAndWhatNever) {
  const auto overlapping = [](const ProbeMemory& x, const ProbeMemory&, std::span<const float>) {
    return SumOf(x, 2085, [](std::size_t i) { return i >= 1024 && i < 1152 ? 2 : i >= 2048 ? 0 : 1; });
  };
  const auto ranges = ProbeCounts(overlapping, 2085);
  const std::vector<CountedRange> expected = {
      {0, 1023, 1}, {1024, 1151, 2}, {1152, 2047, 1}, {2048, 2084, 0}};
  EXPECT_EQ(ranges, expected);
}

TEST(ProbeCounts, SaysNothingOfWhatHasNoRanges) {
  const auto every_other = [](const ProbeMemory& x, const ProbeMemory&, std::span<const float>) {
    return SumOf(x, 5000, [](std::size_t i) { return static_cast<int>(i % 2); });
  };
  EXPECT_TRUE(ProbeCounts(every_other, 5000).empty());
  const auto square = [](const ProbeMemory& x, const ProbeMemory&, std::span<const float>) -> Output {
    return std::vector<float>{Read(x, 0) * Read(x, 0)};
  };
  EXPECT_TRUE(ProbeCounts(square, 10).empty());
}

}  // namespace
}  // namespace warplings
