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

// --- Functions of one input. ---

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
