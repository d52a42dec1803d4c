// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "grader/messages/judging.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_array.h"
#include "grader/suite/random_values.h"
#include "grader/suite/run_memory.h"

namespace warplings {
namespace {

/// The reference sequence of SplitMix64 for seed 1234567, as published with its C code (S. Vigna).
TEST(RandomValuesTest, IsSplitMix64) {
  RandomValues random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
}

TEST(RandomValuesTest, TheSameSeedGivesTheSameInputs) {
  RandomValues a(7), b(7), c(8);
  const auto values = SignedValues(a, 100);
  EXPECT_EQ(values, SignedValues(b, 100));
  EXPECT_NE(values, SignedValues(c, 100));
  EXPECT_NE(SeedOfTest(7, "A.B"), SeedOfTest(7, "A.C"));
  EXPECT_NE(SeedOfTest(7, "A.B"), SeedOfTest(8, "A.B"));
}

TEST(RandomValuesTest, SignedValuesAreNeverZeroAndHaveBothSigns) {
  RandomValues random(1);
  const auto values = SignedValues(random, 1000);
  EXPECT_TRUE(
      std::ranges::all_of(values, [](float v) { return std::fabs(v) >= 0.0625f && std::fabs(v) < 1; }));
  EXPECT_GT(std::ranges::count_if(values, [](float v) { return v < 0; }), 400);
  EXPECT_GT(std::set<float>(values.begin(), values.end()).size(), 990u);
}

TEST(RandomValuesTest, WideValuesSpanTheirRange) {
  RandomValues random(2);
  auto values = WideValues(random, 1000);
  std::ranges::transform(values, values.begin(), [](float v) { return std::fabs(v); });
  const auto [low, high] = std::ranges::minmax(values);
  EXPECT_GE(low, 0x1p-12f);
  EXPECT_LT(low, 0x1p-11f);
  EXPECT_GE(high, 0x1p11f);
  EXPECT_LE(high, 0x1p12f);
}

TEST(RandomValuesTest, DistinctIntegersAreAPermutationWithSigns) {
  RandomValues random(3);
  auto values = DistinctIntegers(random, 9, 11);
  std::ranges::transform(values, values.begin(), [](float v) { return std::fabs(v); });
  std::ranges::sort(values);
  EXPECT_EQ(values, (std::vector<float>{11, 12, 13, 14, 15, 16, 17, 18, 19}));
}

TEST(RandomValuesTest, BelowStaysBelow) {
  RandomValues random(4);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.Below(5));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4}));
}

std::string Where(std::size_t i) {
  return "P[" + std::to_string(i) + "]";
}

TEST(ComparisonTest, ANanIsWrongWhateverTheBound) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(IsWrong(nan, 0, 1e30));
  EXPECT_TRUE(IsWrong(inf, 0, 1e30));
  EXPECT_TRUE(IsWrong(1, std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_FALSE(IsWrong(1, 1.5, 0.5));
  EXPECT_TRUE(IsWrong(1, 1.5, 0.4));
}

TEST(ComparisonTest, AnInfinityIsRightWhereItIsExpected) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const double bound = std::numeric_limits<double>::infinity();  // As an infinite sum of magnitudes gives it.
  EXPECT_FALSE(IsWrong(inf, inf, bound));
  EXPECT_FALSE(IsWrong(-inf, -inf, bound));
  EXPECT_TRUE(IsWrong(-inf, inf, bound));
  EXPECT_TRUE(IsWrong(nan, inf, bound));
  EXPECT_TRUE(IsWrong(1, inf, bound));
  EXPECT_TRUE(IsWrong(inf, nan, bound));
  EXPECT_FALSE(IsWrong(nan, nan, bound));
}

TEST(ComparisonTest, SaysWhatIsWrongWithEachElement) {
  const std::vector<float> actual = {30, std::bit_cast<float>(Poison()),
                                     std::numeric_limits<float>::quiet_NaN(), 31,
                                     -std::numeric_limits<float>::infinity()};
  const std::vector<double> expected(5, 30), bound(5, 1e-5);
  const Comparison result = CompareFloats(actual, expected, bound, Where);
  EXPECT_EQ(result.wrong_count, 4u);
  EXPECT_EQ(result.element_count, 5u);
  ASSERT_EQ(result.wrong.size(), 4u);
  EXPECT_EQ(result.wrong[0].where, "P[1]");
  EXPECT_EQ(result.wrong[0].expected, "30");
  EXPECT_EQ(result.wrong[0].note, say::never_written());
  EXPECT_EQ(result.wrong[1].note, say::not_a_number());
  EXPECT_EQ(result.wrong[2].actual, "31");
  EXPECT_EQ(English(result.wrong[2].note), "off by 1, at most 1e-05 is rounding");
  EXPECT_EQ(result.wrong[3].note, say::infinite());
  EXPECT_EQ(English(DescribeWrong(result, "P")), "4 of 5 elements of P are wrong, the first is P[1]");
}

TEST(ComparisonTest, SpeaksOfRoundingOnlyWhereSomethingIsRounded) {
  const Comparison result =
      CompareFloats(std::vector<float>{3}, std::vector<double>{8}, std::vector<double>{0}, Where);
  ASSERT_EQ(result.wrong.size(), 1u);
  EXPECT_EQ(result.wrong[0].note, say::off_by("5"));
  EXPECT_EQ(English(DescribeWrong(result, "P")), "P[0] is wrong");
}

TEST(ComparisonTest, IntegersHaveToBeExactlyRight) {
  const std::vector<int> actual = {7, static_cast<int>(Poison()), -2'000'000'000, 16'777'217};
  const std::vector<int> expected = {7, 7, 2'000'000'000, 16'777'216};
  const Comparison result = CompareInts(actual, expected, Where);
  EXPECT_EQ(result.wrong_count, 3u);
  EXPECT_EQ(result.element_count, 4u);
  ASSERT_EQ(result.wrong.size(), 3u);
  EXPECT_EQ(result.wrong[0].where, "P[1]");
  EXPECT_EQ(result.wrong[0].actual, say::holds_nothing());
  EXPECT_EQ(result.wrong[0].note, say::never_written());
  EXPECT_EQ(result.wrong[1].note, say::off_by("4000000000"));
  EXPECT_EQ(result.wrong[2].expected, "16777216");
  EXPECT_EQ(result.wrong[2].note, say::off_by("1"));
}

TEST(ComparisonTest, WholeNumbersOfAnyTypeAreCompared) {
  using Key = std::uint64_t;
  const std::vector<Key> expected = {1, 2, 0, std::uint64_t{1} << 63};
  const std::vector<std::byte> unwritten = PoisonBytes(expected.size() * sizeof(Key));
  std::vector<Key> actual = ValuesOf<Key>(unwritten);
  actual[0] = 1;
  actual[2] = ~Key{0};
  actual[3] = 0;
  const Comparison found = CompareWholeNumbers<Key>(actual, expected, Where);
  ASSERT_EQ(found.wrong.size(), 3u);
  EXPECT_EQ(English(found.wrong[0].where), "P[1]");
  EXPECT_TRUE(say::never_written.Made(found.wrong[0].note));
  EXPECT_EQ(English(found.wrong[1].actual), "18446744073709551615");
  EXPECT_EQ(found.wrong[1].note, say::off_by("18446744073709551615"));
  EXPECT_EQ(English(found.wrong[2].expected), "9223372036854775808");
  EXPECT_EQ(found.wrong[2].note, say::off_by("9223372036854775808"));
  const Comparison moved = CompareWholeNumbers<Key>(actual, expected, Where, 0, Differences::kLeftOut);
  EXPECT_EQ(English(moved.wrong[1].note), "");
  EXPECT_TRUE(say::never_written.Made(moved.wrong[0].note));
  const std::vector<std::int8_t> low = {-128}, high = {127};
  EXPECT_EQ(CompareWholeNumbers<std::int8_t>(low, high, Where).wrong[0].note, say::off_by("255"));
}

/// A pixel that nobody stored is told from one with a wrong colour, though each byte of poison is a colour.
TEST(ComparisonTest, StructsAreComparedMemberByMember) {
  struct Pixel {
    std::uint8_t r, g, b;
  };
  const std::vector<Member<Pixel>> members = {{"r", [](const Pixel& pixel) { return pixel.r; }},
                                              {"g", [](const Pixel& pixel) { return pixel.g; }},
                                              {"b", [](const Pixel& pixel) { return pixel.b; }}};
  const std::vector<Pixel> expected = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  const std::vector<std::byte> unwritten = PoisonBytes(expected.size() * sizeof(Pixel));
  std::vector<Pixel> actual = ValuesOf<Pixel>(unwritten);
  actual[0] = {1, 2, 3};
  actual[2] = {7, 250, 0};
  const auto where = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
  const Comparison found = CompareMembers<Pixel>(actual, expected, members, where);
  EXPECT_EQ(found.element_count, 4u);
  EXPECT_EQ(found.wrong_count, 3u);
  ASSERT_EQ(found.wrong.size(), 3u);
  EXPECT_EQ(English(found.wrong[0].where), "out[1]");
  EXPECT_EQ(English(found.wrong[0].expected), "r = 4, g = 5, b = 6");
  EXPECT_TRUE(say::never_written.Made(found.wrong[0].note));
  EXPECT_EQ(English(found.wrong[1].where), "out[2].g");
  EXPECT_EQ(English(found.wrong[1].actual), "250");
  EXPECT_EQ(English(found.wrong[1].note), English(say::off_by("242")));
  EXPECT_EQ(English(found.wrong[2].where), "out[3]") << "where the poison begins in the middle of a word";
}

TEST(InputArrayTest, ElementsMayBeStructs) {
  struct Edge {
    int from;
    std::uint16_t to, weight;
  };
  const std::vector<Edge> edges = {{1, 2, 3}, {4, 5, 600}};
  const auto is_light = [](Edge edge) { return edge.weight < 600; };
  const CallArray array = InputArray("edges", edges, OtherElements::AnyOrder(),
                                     {Must<Edge>::Each("each edge weighs less than 600", is_light)});
  EXPECT_EQ(array.element_bytes, sizeof(Edge));
  EXPECT_FALSE(array.is_of_integers);
  EXPECT_NE(English(array.fault).find("edges[1] is bytes 04 00 00 00 05 00 58 02"), std::string::npos)
      << English(array.fault);
  const std::vector<Edge> other = ValuesOf<Edge>(OtherElementsOf(array));
  EXPECT_EQ(other[0].weight, 600);
  EXPECT_EQ(other[1].from, 1);
}

TEST(ComparisonTest, AnElementsNameTravelsAsData) {
  const auto where = [](std::size_t i) { return say::off_by(std::to_string(i)); };  // Any row does.
  const Comparison result =
      CompareFloats(std::vector<float>{1, 1, 7}, std::vector<double>(3, 1), std::vector<double>(3, 0), where);
  ASSERT_EQ(result.wrong.size(), 1u);
  EXPECT_EQ(result.wrong[0].where, say::off_by("2"));
  EXPECT_TRUE(Contains(DescribeWrong(result, "P"), say::off_by("2")));
}

TEST(ComparisonTest, TheMapHasTheRowsThatTheCallerNames) {
  KeepOutputMaps(true);
  const std::vector<double> expected(6, 1), bound(6, 0);
  const Comparison table = CompareFloats(std::vector<float>{1, 1, 1, 2, 1, 1}, expected, bound, Where, 3);
  const Comparison row = CompareFloats(std::vector<float>(6, 1), expected, bound, Where);
  KeepOutputMaps(false);
  ASSERT_TRUE(table.map && row.map);
  EXPECT_EQ(table.map->columns, 3u);
  EXPECT_EQ(table.map->states, "...w..");
  EXPECT_EQ(row.map->columns, 0u);
}

TEST(ComparisonTest, ListsTheFirstFewOnly) {
  const std::vector<float> actual(100, 1);
  const std::vector<double> expected(100, 2), bound(100, 0.5);
  const Comparison result = CompareFloats(actual, expected, bound, Where);
  EXPECT_EQ(result.wrong_count, 100u);
  EXPECT_EQ(result.wrong.size(), Comparison::kMaxListed);
}

TEST(RunMemoryTest, TheSeedDecidesPoisonAndAddresses) {
  constexpr std::uint64_t kSeeds = 50;
  std::set<std::uint32_t> poisons;
  std::set<std::uint64_t> memory_seeds;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::uint32_t poison = PoisonOf(seed);
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(poison)));
    // No NaN that arithmetic gives, no small number, no negative one.
    for (const std::uint32_t ordinary : {0x7fc00000u, 0x7fc00001u, 0x7fffffffu}) EXPECT_NE(poison, ordinary);
    EXPECT_GT(static_cast<std::int32_t>(poison), 0x7fc00000);
    poisons.insert(poison);
    SuiteOrder order;
    order.seed = seed;
    memory_seeds.insert(MemoryOf(order).seed);
  }
  EXPECT_EQ(poisons.size(), kSeeds);
  EXPECT_EQ(memory_seeds.size(), kSeeds);
  EXPECT_FALSE(memory_seeds.contains(0));  // It would mean the usual addresses.
  EXPECT_EQ(PoisonOf(7), PoisonOf(7));
}

}  // namespace
}  // namespace warplings
