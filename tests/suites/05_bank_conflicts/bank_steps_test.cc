// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/bank_steps.h"

#include <gtest/gtest.h>

#include <functional>

#include "grader/suite/random_values.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/common/step_students.h"
#include "tests/support/drawn.h"

namespace warplings::bank_conflicts {
namespace {

using namespace step_search;

const std::equal_to<> kSame;

int Random(RandomValues& random, int least, int most) {
  return least + static_cast<int>(random.Below(static_cast<std::uint64_t>(most - least + 1)));
}

/// Arrays as bank_of's last test asks about them, and some padded rows.
std::vector<Place> Places() {
  RandomValues random(5);
  std::vector<Place> places = {{{0, 4, 32, 33}, 1, 0}, {{0, 4, 32, 33}, 2, 1}};
  for (int i = 0; i < 100; ++i) {
    const int bytes = 1 << Random(random, 0, 4), width = Random(random, 1, 70);
    const SharedArray array = {bytes * Random(random, 0, 60), bytes, width, width + Random(random, 0, 5)};
    places.push_back({array, Random(random, 0, 40), Random(random, 0, width - 1)});
  }
  return places;
}

/// Strides and anything at all, as the suite asks.
std::vector<WarpRequest> Requests() {
  RandomValues random(6);
  std::vector<WarpRequest> requests;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (int stride = 1; stride <= 34; ++stride) {
      requests.push_back(ToRequest(
          reference::Strided(0, static_cast<std::uint32_t>((stride < 34 ? stride : 128) * bytes)), bytes));
    }
  }
  for (int i = 0; i < 100; ++i) {
    const int bytes = 1 << Random(random, 0, 4), elements = 4 << Random(random, 0, 8);
    reference::LaneAddresses addresses;
    for (std::uint32_t& each : addresses)
      each = static_cast<std::uint32_t>(bytes * Random(random, 0, elements - 1));
    requests.push_back(ToRequest(addresses, bytes));
  }
  // Many lanes of one word beside few of different ones: the bank of most lanes is not that of most words.
  for (std::uint32_t few = 2; few < 8; ++few) {
    reference::LaneAddresses addresses;
    for (std::uint32_t lane = 0; lane < 32; ++lane) addresses[lane] = lane < few ? 20 + 128 * lane : 0;
    requests.push_back(ToRequest(addresses, 4));
  }
  return requests;
}

TEST(BankSteps, EveryMistakeInTheFirstBankIsTold) {
  const Tally single = TallyOf(FirstBank(), Places(), kSame, 1);
  EXPECT_EQ(single.exact, single.students);
  const Tally pairs = TallyOf(FirstBank(), Places(), kSame, 2);
  EXPECT_GE(pairs.exact, pairs.students * 9 / 10);
  // A whole word for narrow elements, and a bank as wide as wide ones, are a bank for each element: one
  // calculation.
  EXPECT_EQ(pairs.another, 1);
}

TEST(BankSteps, EveryMistakeInTheNumberOfBanksIsTold) {
  const Tally single = TallyOf(BankCount(), Places(), kSame, 1);
  EXPECT_EQ(single.exact, single.students);
}

TEST(BankSteps, EveryMistakeInTheDegreeIsTold) {
  RUN_ONE_IN(6);
  const Tally single = TallyOf(Degree(), Requests(), kSame, 1);
  EXPECT_EQ(single.exact, single.students);
  const Tally pairs = TallyOf(Degree(), Requests(), kSame, 2);
  EXPECT_GE(pairs.exact, pairs.students * 9 / 10);
  // Words and counts that both outlive their group are those of the whole warp: one calculation.
  EXPECT_EQ(pairs.another, 1);
}

TEST(BankSteps, NonsenseIsAccusedOfNothing) {
  ExpectNonsenseIsAccusedOfNothing(FirstBank(), Places(), kSame,
                                   [](RandomValues& random) { return Random(random, 0, 31); });
  ExpectNonsenseIsAccusedOfNothing(BankCount(), Places(), kSame,
                                   [](RandomValues& random) { return Random(random, 1, 4); });
  ExpectNonsenseIsAccusedOfNothing(Degree(), Requests(), kSame,
                                   [](RandomValues& random) { return Random(random, 1, 16); });
  // One number for all is no mistake that is known, either.
  ExpectNonsenseIsAccusedOfNothing(Degree(), Requests(), kSame, [](RandomValues&) { return 1; });
}

TEST(BankSteps, AMistakeKeepsItsNameBesideAnotherThatNobodyKnows) {
  EXPECT_GE(ExpectNoiseChangesNoName(FirstBank(), Places(), kSame,
                                     [](RandomValues& random) { return Random(random, 0, 31); }),
            12);
  EXPECT_GE(ExpectNoiseChangesNoName(Degree(), Requests(), kSame,
                                     [](RandomValues& random) { return Random(random, 1, 16); }),
            10);
}

TEST(BankSteps, WithoutAMistakeTheyAreTheOracle) {
  for (const Place& place : Places()) {
    EXPECT_EQ(FirstBank().answer(place, FirstBank().Right()), RightBanks(place).first) << Describe(place);
    EXPECT_EQ(BankCount().answer(place, BankCount().Right()), RightBanks(place).count) << Describe(place);
  }
  for (const WarpRequest& request : Requests()) {
    EXPECT_EQ(Degree().answer(request, Degree().Right()), RightDegree(request));
  }
}

TEST(BankSteps, PartsThatAreEachRoundedDownAreOneMistake) {
  Answered<Place, int> answers;
  for (const Place& p : Places()) {
    const SharedArray& a = p.array;
    const int bytes = a.element_bytes;
    answers.emplace_back(p, (a.base / 4 + p.row * (a.pitch * bytes / 4) + p.column * bytes / 4) % 32);
  }
  const auto found = Explain(FirstBank(), answers, kSame);
  ASSERT_TRUE(found);
  EXPECT_EQ(WordsOfAll(*found), English(say::bank_step_each_row_apart()));
}

TEST(BankSteps, TheWayIsTheElementTheByteAndTheWord) {
  EXPECT_EQ(English(Way({{64, 4, 32, 33}, 2, 5})), "element 71, byte 348, word 87");
}

/// The measured table, in the terms of the exercise: float, double and float4 with a stride in elements.
TEST(BankSteps, DegreesFollowFromTheWavefrontsMeasuredOnAnH200) {
  struct Measured {
    int element_bytes, stride, wavefronts, conflicts;
  };
  for (const Measured& m : {Measured{4, 1, 1, 0},
                            {4, 2, 2, 1},
                            {4, 3, 1, 0},
                            {4, 8, 8, 7},
                            {4, 32, 32, 31},
                            {4, 33, 1, 0},
                            {8, 1, 2, 0},
                            {8, 2, 4, 2},
                            {8, 3, 2, 0},
                            {8, 4, 8, 6},
                            {8, 16, 32, 30},
                            {8, 17, 2, 0},
                            {16, 1, 4, 0},
                            {16, 2, 8, 4},
                            {16, 3, 4, 0},
                            {16, 5, 4, 0}}) {
    const auto stride = static_cast<std::uint32_t>(m.stride * m.element_bytes);
    const WarpRequest request = ToRequest(reference::Strided(0, stride), m.element_bytes);
    const int groups = m.wavefronts - m.conflicts;  // All groups of a stride conflict alike.
    EXPECT_EQ(RightDegree(request), m.wavefronts / groups)
        << m.element_bytes << " bytes, stride " << m.stride;
  }
}

}  // namespace
}  // namespace warplings::bank_conflicts
