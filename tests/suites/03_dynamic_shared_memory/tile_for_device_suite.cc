// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 3's tile_for_device: one test a card, which the submission has to ask.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/suites/03_dynamic_shared_memory/messages.h"
#include "tests/suites/03_dynamic_shared_memory/tile_answers.h"

namespace warplings::tile_for_device {
namespace {

std::vector<Asked<Question, int>>& AllAnswers() {
  static std::vector<Asked<Question, int>> all;
  return all;
}

class TileForDevice : public testing::Test {
 protected:
  void Ask(Interview& interview, const Question& q) {
    const auto answer = interview.Ask<int>(InWords(q), q.arrays, q.element_bytes, q.step);
    AllAnswers().push_back({q, answer});
    if (!answer) return;
    const int right = LargestTile(q);
    // Of a width that nobody asked for: the submission's own, and its bytes.
    if (*answer != right && next_step_.empty()) next_step_ = NextStepOf(q, *answer, right);
    const bool is_a_width = *answer > 0 && *answer <= kMostThought;
    const Message note = is_a_width ? say::largest_tile_yours(BytesOf(q, *answer)) : Message();
    interview.Compare(*answer == right, InWords(q), std::to_string(right), std::to_string(*answer), note);
  }

  void CheckCard(const Message& title, const char* id) {
    Session().UseDevices(std::string("virtual:") + id);
    Interview interview(title);
    for (const Question& question : QuestionsFor(*FindDeviceProfile(id))) Ask(interview, question);
    interview.Finish(next_step_);
  }

  /// Of the test's first wrong answer.
  Message next_step_;

 private:
  /// Wider than anybody means a tile to be; its bytes say nothing.
  static constexpr int kMostThought = 1024 * 1024;

  static bool NeedsMoreThanAnIntHolds(const Question& q, int tile) {
    return std::int64_t{q.arrays} * q.element_bytes * tile * tile > INT32_MAX;
  }

  static Message NextStepOf(const Question& q, int answer, int right) {
    if (answer < 0 || answer > kMostThought) return say::largest_tile_impossible(answer);
    if (answer % q.step != 0) return say::largest_tile_no_multiple(answer, q.step);
    if (answer > right && NeedsMoreThanAnIntHolds(q, answer))
      return say::largest_tile_beyond_int(answer, BytesOf(q, answer));
    if (answer > right) return say::largest_tile_too_wide(answer, BytesOf(q, answer), right);
    if (answer == 0) return say::largest_tile_none(right, BytesOf(q, right));
    const int wider = answer + q.step;
    return say::largest_tile_too_narrow(wider, BytesOf(q, wider));
  }
};

TEST_F(TileForDevice, T4) {
  CheckCard(say::largest_tile_t4(), "t4");
}

TEST_F(TileForDevice, V100) {
  CheckCard(say::largest_tile_v100(), "v100");
}

TEST_F(TileForDevice, A100) {
  CheckCard(say::largest_tile_a100(), "a100");
}

TEST_F(TileForDevice, Rtx3060) {
  CheckCard(say::largest_tile_rtx3060(), "rtx3060");
}

TEST_F(TileForDevice, H200) {
  CheckCard(say::largest_tile_h200(), "h200");
}

/// The current device need not be the first.
TEST_F(TileForDevice, TheSecondDeviceIsCurrent) {
  Session().UseDevices("virtual:t4,h200", 1);
  Interview interview(say::largest_tile_second_device());
  for (Question question : QuestionsFor(*FindDeviceProfile("h200"))) {
    question.device_zero = FindDeviceProfile("t4");
    Ask(interview, question);
  }
  interview.Finish(say::largest_tile_which_is_current());
}

/// In one process: whoever keeps the first device's limit answers for the wrong one.
TEST_F(TileForDevice, TheCurrentDeviceChanges) {
  constexpr const char* kBoth = "virtual:t4,h200";
  Interview interview(say::largest_tile_changing_device());
  Session().UseDevices(kBoth, 1);
  Ask(interview, {FindDeviceProfile("h200"), 2, 4, 16, FindDeviceProfile("t4")});
  Session().UseDevices(kBoth, 0);
  Ask(interview, {FindDeviceProfile("t4"), 2, 4, 16, FindDeviceProfile("t4")});
  Ask(interview, {FindDeviceProfile("t4"), 1, 8, 8, FindDeviceProfile("t4")});
  interview.Finish(say::largest_tile_asked_anew());
}

/// A whole block needs more than any card has, or just what one has; or it has a thousand small tiles.
TEST_F(TileForDevice, NothingFits) {
  Session().UseDevices("virtual:t4");
  Interview interview(say::largest_tile_extreme());
  for (const Question& question : ExtremeQuestions()) Ask(interview, question);
  interview.Finish(next_step_);
}

TEST_F(TileForDevice, AnyElements) {
  RandomValues random = TestRandom();
  Session().UseDevices("virtual:rtx4090");
  Interview interview(say::largest_tile_random());
  for (int i = 0; i < 30; ++i) {
    // A third of them over all that the contract allows.
    const bool any = i % 3 == 0;
    Ask(interview, {FindDeviceProfile("rtx4090"), 1 + static_cast<int>(random.Below(any ? 1024 : 8)),
                    1 + static_cast<int>(random.Below(any ? 64 : 16)),
                    1 + static_cast<int>(random.Below(any ? 4 : 24))});
  }
  interview.Finish(next_step_);
}

const bool graded = GradedBy(
    {.shared = HostGrading(), .header = {"The answer is right, whichever device is current."}, .page = {}});

const bool states_facts = StateFactsWith([] { return FactsOf(AllAnswers()); });

}  // namespace
}  // namespace warplings::tile_for_device
