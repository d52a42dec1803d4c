// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/contrast.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace warplings {
namespace {

struct Made {
  std::string test;
  int width = 0, tile = 0;
  TestResult result;
};

/// Calls of these widths and tiles; those fail for which `fails` holds.
std::vector<Made> Calls(const std::function<bool(const Made&)>& fails) {
  std::vector<Made> all;
  for (const auto& [width, tile] :
       {std::pair{0, 3}, {1, 1}, {5, 1}, {2, 16}, {3, 2}, {16, 16}, {23, 7}, {33, 16}, {48, 12}, {40, 32}}) {
    Made made{"Made up", width, tile, {}};
    made.result.verdict = fails(made) ? Verdict::kFinding : Verdict::kPassed;
    made.result.next_step = "Look.";
    all.push_back(made);
  }
  return all;
}

/// "tile is 3", of a name and what is said of it.
Message Words(const std::string& subject, const std::string& rest) {
  return {"made_up", "{1} " + rest, {AsArgument(say::Name(subject))}};
}

const CallTraits<Made> kTraits = {
    .traits = {{Words("tile", "is no power of two"),
                [](const Made& e) { return (e.tile & (e.tile - 1)) != 0; }},
               {Words("width", "is above tile"), [](const Made& e) { return e.width > e.tile; }},
               {say::side_is("tile", 32), [](const Made& e) { return e.tile == 32; }},
               {say::side_is_odd("width"), [](const Made& e) { return e.width % 2 != 0; }}},
    .is_apart = [](const Made& e) { return e.width == 0; },
    .among_others = "width 0"};

std::string FactOf(const std::function<bool(const Made&)>& fails) {
  return English(ContrastFact(std::span<const Made>(Calls(fails)), kTraits));
}

TEST(ContrastFactTest, SaysWhatFailingCallsHaveInCommon) {
  EXPECT_EQ(FactOf([](const Made& e) { return e.width > e.tile; }),
            "The tests that fail are exactly those where width is above tile.");
  EXPECT_EQ(FactOf([](const Made& e) { return e.tile == 32; }), "Only the test with tile = 32 fails.");
  EXPECT_EQ(FactOf([](const Made& e) { return e.width > e.tile && e.width % 2 != 0; }),
            "The tests that fail are exactly those where width is above tile, and width is odd.");
}

/// Of one test nobody says "those".
TEST(ContrastFactTest, OneTestIsNotSeveral) {
  CallTraits<Made> traits = kTraits;
  traits.traits = {{say::side_is_above("tile", 20), [](const Made& e) { return e.tile > 20; }}};
  const std::vector<Made> one = Calls([](const Made& e) { return e.tile == 32; });
  EXPECT_EQ(English(ContrastFact(std::span<const Made>(one), traits)),
            "The only test that fails is the one where tile is above 20.");
  const std::vector<Made> with_one_apart = Calls([](const Made& e) { return e.tile == 32 || e.width == 0; });
  EXPECT_EQ(English(ContrastFact(std::span<const Made>(with_one_apart), traits)),
            "Leaving aside width 0, the only test that fails is the one where tile is above 20.");
}

/// A call without work is right or wrong for another reason.
TEST(ContrastFactTest, LeavesOutCallsWithoutWorkWhereTheyAreInTheWay) {
  EXPECT_EQ(FactOf([](const Made& e) { return e.width > 0 && e.tile % 2 != 0 && e.tile > 1; }), "");
  EXPECT_EQ(FactOf([](const Made& e) { return e.width > 0 && (e.tile & (e.tile - 1)) != 0; }),
            "Leaving aside width 0, a test fails if tile is no power of two, and passes if not.");
}

TEST(BothTraitsTest, TheSecondMultipleIsNotSpelledOut) {
  const Message multiple = say::side_is_multiple("k", 4), none = say::side_is_no_multiple("l", 4);
  EXPECT_EQ(English(BothTraits(multiple, none)), "k is a multiple of 4 and l is not");
  EXPECT_EQ(English(BothTraits(none, multiple)), "k is a multiple of 4 and l is not");
  EXPECT_EQ(English(BothTraits(multiple, say::side_is_no_multiple("l", 8))),
            "k is a multiple of 4, and l is not a multiple of 8");
}

TEST(BothTraitsTest, OneSideIsNamedOnce) {
  const Message above = say::side_is_above("width", 16), none = say::side_is_no_multiple("width", 16);
  EXPECT_EQ(English(BothTraits(none, above)), "width is above 16 and not a multiple of 16");
  EXPECT_EQ(English(BothTraits(above, none)), "width is above 16 and not a multiple of 16");
  EXPECT_EQ(English(BothTraits(above, say::side_is_no_multiple("tile", 16))),
            "width is above 16, and tile is not a multiple of 16");
}

TEST(ContrastFactTest, SaysNothingWhereItIsNotCertain) {
  EXPECT_EQ(FactOf([](const Made&) { return false; }), "");
  EXPECT_EQ(FactOf([](const Made&) { return true; }), "") << "nothing to tell them from";
  EXPECT_EQ(FactOf([](const Made& e) { return e.width == 33; }), "") << "no trait";
  CallTraits<Made> twice = kTraits;
  twice.traits.push_back(
      {Words("block", "is as large as it can be"), [](const Made& e) { return e.tile == 32; }});
  const std::vector<Made> one = Calls([](const Made& e) { return e.tile == 32; });
  EXPECT_TRUE(ContrastFact(std::span<const Made>(one), twice).empty())
      << "one call, and two traits that it has";
}

/// Failing calls may have two sides in common, one of which plays no part.
TEST(ContrastFactTest, SaysNothingWhereSomethingElseFitsAsWell) {
  const auto fails = [](const Made& e) { return e.width > e.tile; };
  CallTraits<Made> other = kTraits, same = kTraits;
  other.traits.push_back({Words("tile", "is lower than width"), fails});
  same.traits.push_back({Words("width", "is not at most tile"), fails});
  const std::vector<Made> calls = Calls(fails);
  EXPECT_TRUE(ContrastFact(std::span<const Made>(calls), other).empty());
  EXPECT_EQ(ContrastFact(std::span<const Made>(calls), same), say::fail_where(kTraits.traits[1].words));
  CallTraits<Made> pair = kTraits;
  pair.traits.push_back({Words("rows", "are odd"), [](const Made& e) { return e.width % 2 != 0; }});
  const std::vector<Made> two = Calls([](const Made& e) { return e.width > e.tile && e.width % 2 != 0; });
  EXPECT_TRUE(ContrastFact(std::span<const Made>(two), pair).empty());
}

/// Of calls with work both traits tell the same; only those without would need both of them.
TEST(ContrastFactTest, APairIsToldOfCallsWithWorkOnly) {
  const auto is_three = [](const Made& e) { return e.tile == 3; };
  CallTraits<Made> traits = {
      .traits = {{say::side_is("tile", 3), is_three},
                 {Words("rows", "are odd"),
                  [](const Made& e) { return e.width == 0 ? e.tile != 3 : e.tile == 3; }}},
      .is_apart = kTraits.is_apart,
      .among_others = kTraits.among_others};
  std::vector<Made> all;
  for (const auto& [width, tile] :
       {std::pair{0, 3}, {0, 4}, {5, 3}, {7, 3}, {9, 3}, {5, 4}, {7, 4}, {9, 4}}) {
    Made& made = all.emplace_back(Made{"Made up", width, tile, {}});
    made.result.verdict = width > 0 && tile == 3 ? Verdict::kFinding : Verdict::kPassed;
  }
  EXPECT_TRUE(ContrastFact(std::span<const Made>(all), traits).empty());
  traits.is_apart = [](const Made&) { return false; };
  EXPECT_EQ(English(ContrastFact(std::span<const Made>(all), traits)),
            "The tests that fail are exactly those where tile is 3, and rows are odd.");
}

TEST(ContrastFactTest, CallsThatWereNotMadeDoNotCount) {
  std::vector<Made> all = Calls([](const Made& e) { return e.width > e.tile; });
  all.push_back({"Not run", 99, 1, {}});
  all.back().result.verdict = Verdict::kNotRun;
  EXPECT_EQ(ContrastFact(std::span<const Made>(all), kTraits), say::fail_where(kTraits.traits[1].words));
}

TEST(WithContrastTest, EachFailingTestSaysItBehindItsOwnAdvice) {
  std::vector<Made> all = Calls([](const Made& e) { return e.width > e.tile; });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].test = "Test" + std::to_string(i);
  const auto explained =
      WithContrast({Explained{"Test2", {}, "A fact."}}, std::span<const Made>(all), kTraits);
  ASSERT_EQ(explained.size(), 6u);
  EXPECT_EQ(English(explained[0].advice),
            "A fact. The tests that fail are exactly those where width is above tile.");
  EXPECT_EQ(explained[1].test, "Test4");
  EXPECT_EQ(English(explained[1].advice),
            "Look. The tests that fail are exactly those where width is above tile.");
  EXPECT_TRUE(explained[1].explanation.facts.empty());
}

}  // namespace
}  // namespace warplings
