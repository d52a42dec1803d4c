// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/05_bank_conflicts/bank_models.h"

#include <gtest/gtest.h>

#include "grader/suite/random_values.h"

namespace warplings::bank_conflicts {
namespace {

using Ids = std::vector<std::string>;

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
    for (int stride = 1; stride <= 33; ++stride) {
      requests.push_back(ToRequest(reference::Strided(0, static_cast<std::uint32_t>(stride * bytes)), bytes));
    }
  }
  for (int i = 0; i < 100; ++i) {
    const int bytes = 1 << Random(random, 0, 4), elements = 4 << Random(random, 0, 8);
    reference::LaneAddresses addresses;
    for (std::uint32_t& each : addresses)
      each = static_cast<std::uint32_t>(bytes * Random(random, 0, elements - 1));
    requests.push_back(ToRequest(addresses, bytes));
  }
  return requests;
}

/// What is found behind the answers that `model` gives.
template <class Question, class Answer>
Ids FoundBehind(const Model<Question, Answer>& model, const std::vector<Question>& questions,
                const std::vector<Model<Question, Answer>>& models) {
  std::vector<Answered<Question, Answer>> answers;
  for (const Question& each : questions) answers.push_back({each, model.answer(each)});
  return MistakesBehind(answers, models);
}

/// Every model, that is every set of mistakes, is told from all others; or what is named is part of the
/// truth.
template <class Question, class Answer>
void ExpectTold(const std::vector<Question>& questions, const std::vector<Model<Question, Answer>>& models) {
  for (const auto& model : models) {
    const Ids found = FoundBehind(model, questions, models);
    if (model.mistakes.size() <= 1) {
      EXPECT_EQ(found, model.mistakes);
    }
    for (const std::string& id : found) EXPECT_EQ(std::ranges::count(model.mistakes, id), 1) << id;
  }
}

TEST(BankModelsTest, MistakesInTheFirstBankAreTold) {
  ExpectTold(Places(), FirstBankModels());
  EXPECT_EQ(FirstBankModels().size(), 36u);
}

TEST(BankModelsTest, MistakesInTheNumberOfBanksAreTold) {
  ExpectTold(Places(), BankCountModels());
}

TEST(BankModelsTest, MistakesInTheDegreeAreTold) {
  ExpectTold(Requests(), DegreeModels());
  EXPECT_EQ(DegreeModels().size(), 96u);
}

TEST(BankModelsTest, TheModelWithoutAMistakeIsTheOracle) {
  for (const Place& place : Places()) {
    EXPECT_EQ(FirstBankModels().front().answer(place), RightBanks(place).first) << Describe(place);
    EXPECT_EQ(BankCountModels().front().answer(place), RightBanks(place).count) << Describe(place);
  }
  ASSERT_TRUE(DegreeModels().front().mistakes.empty());
  for (const WarpRequest& request : Requests()) {
    EXPECT_EQ(DegreeModels().front().answer(request), RightDegree(request));
  }
}

TEST(BankModelsTest, AConstantIsNoMistakeThatIsKnown) {
  std::vector<Answered<WarpRequest, int>> answers;
  for (const WarpRequest& each : Requests()) answers.push_back({each, 1});
  EXPECT_EQ(MistakesBehind(answers, DegreeModels()), Ids{});
  EXPECT_EQ(MistakesBehind({}, DegreeModels()), Ids{});
}

/// One stride of floats fits several mistakes; none of them is certain.
TEST(BankModelsTest, WhatIsNotCertainIsNotNamed) {
  const Model<int, int> twice{{"twice"}, [](const int& x) { return 2 * x; }};
  const Model<int, int> squared{{"squared"}, [](const int& x) { return x * x; }};
  const Model<int, int> both{{"squared", "twice"}, [](const int& x) { return 2 * x * x; }};
  EXPECT_EQ(MistakesBehind({{2, 4}}, std::vector{twice, squared, both}), Ids{});
  EXPECT_EQ(MistakesBehind({{2, 4}, {3, 6}}, std::vector{twice, squared, both}), Ids{"twice"});
  EXPECT_EQ(MistakesBehind({{3, 18}}, std::vector{twice, squared, both}), (Ids{"squared", "twice"}));
}

/// The measured table, in the terms of the exercise: float, double and float4 with a stride in elements.
TEST(BankModelsTest, DegreesFollowFromTheWavefrontsMeasuredOnAnH200) {
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
