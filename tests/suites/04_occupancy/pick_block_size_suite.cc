// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 4's pick_block_size: one kernel after another, on several cards.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/04_occupancy/pick_block_size.h"
#include "tests/suites/04_occupancy/block_size_answers.h"
#include "tests/suites/04_occupancy/messages.h"
#include "tests/suites/04_occupancy/sm_limits.h"

namespace warplings::pick_block_size {
namespace {

std::vector<Asked<Question, int>>& AllAnswers() {
  static std::vector<Asked<Question, int>> all;
  return all;
}

class PickBlockSize : public testing::Test {
 protected:
  void Ask(Interview& interview, const Question& q) {
    const auto answer = interview.Ask<int>(InWords(q), LimitsOf<SmLimits>(q.card, q.portions), q.registers,
                                           q.shared_bytes, q.shared_bytes_per_thread);
    AllAnswers().push_back({q, answer, RunningTest()});
    if (!answer) return;
    const int right = BestBlockSize(q);
    interview.Compare(*answer == right, InWords(q), InWords(q, right), InWords(q, *answer));
  }

  void Ask(const Message& title, const std::vector<Question>& questions) {
    Interview interview(title);
    for (const Question& q : questions) Ask(interview, q);
    interview.Finish(say::block_size_write_down());
  }
};

TEST_F(PickBlockSize, A100) {
  Ask(say::block_size_a100(2048), QuestionsFor(*FindDeviceProfile("a100")));
}

TEST_F(PickBlockSize, T4) {
  Ask(say::block_size_t4(1024), QuestionsFor(*FindDeviceProfile("t4")));
}

TEST_F(PickBlockSize, Rtx4090) {
  Ask(say::block_size_rtx4090(1536, 1024), QuestionsFor(*FindDeviceProfile("rtx4090")));
}

TEST_F(PickBlockSize, H200) {
  Ask(say::block_size_h200(2048), QuestionsFor(*FindDeviceProfile("h200")));
}

TEST_F(PickBlockSize, NoSizeFits) {
  Ask(say::block_size_extreme(), ExtremeQuestions());
}

TEST_F(PickBlockSize, OneBlockHasLimitsOfItsOwn) {
  Ask(say::block_size_limits(1000), QuestionsOfLimits());
}

TEST_F(PickBlockSize, ACardThatNobodySells) {
  RandomValues random = TestRandom();
  std::vector<Question> questions;
  for (int i = 0; i < 30; ++i) {
    questions.push_back({MadeUpCard(), 16 + static_cast<int>(random.Below(180)),
                         static_cast<int>(random.Below(20'000)), static_cast<int>(random.Below(64))});
  }
  for (const Question& q : QuestionsOfPortions()) questions.push_back(q);
  Ask(say::block_size_made_up(), questions);
}

const bool graded = GradedBy(
    {.shared = HostGrading(), .header = {"The size is right for every SM and every kernel."}, .page = {}});

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise(AllAnswers())); });

const bool states_facts = StateFactsWith([] { return FactsOf(AllAnswers()); });

}  // namespace
}  // namespace warplings::pick_block_size
