// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 3's tile_for_device: one test a card, which the submission has to ask.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/chapters/03_dynamic_shared_memory/tile_answers.h"

namespace warplings::tile_for_device {
namespace {

std::vector<Asked<Question, int>>& AllAnswers() {
  static std::vector<Asked<Question, int>> all;
  return all;
}

class TileForDevice : public testing::Test {
 protected:
  void Ask(Interview& interview, const Question& q) {
    const auto answer = interview.Ask<int>(q.arrays, q.element_bytes, q.step);
    AllAnswers().push_back({q, answer});
    if (!answer) return;
    const int right = LargestTile(q);
    // Of a width that nobody asked for: the submission's own, and its bytes.
    if (*answer != right && next_step_.empty()) next_step_ = NextStepOf(q, *answer, right);
    const std::string note = *answer > 0 && *answer <= 1 << 20 ? "yours takes " + BytesOf(q, *answer) : "";
    interview.Compare(*answer == right, InWords(q), std::to_string(right), std::to_string(*answer), note);
  }

  void CheckCard(const std::string& title, const char* id) {
    Session().UseDevices(std::string("virtual:") + id);
    Interview interview(title);
    for (const Question& question : QuestionsFor(*FindDeviceProfile(id))) Ask(interview, question);
    interview.Finish(next_step_);
  }

  /// Of the test's first wrong answer.
  std::string next_step_;

 private:
  static std::string NextStepOf(const Question& q, int answer, int right) {
    const std::string asked = "Take the first wrong answer (" + InWords(q) + "): ";
    if (answer < 0 || answer > 1024 * 1024)
      return asked + "no tile is that wide; which line gave that number?";
    if (answer % q.step != 0)
      return asked + std::to_string(answer) + " is no multiple of step, which the contract asks for.";
    if (answer > right) {
      return asked + "tiles of " + std::to_string(answer) + " take " + BytesOf(q, answer) +
             " that a block may have. Follow your program for this question: where does it decide for " +
             std::to_string(answer) + ", and not for " + std::to_string(right) + "?";
    }
    return asked + "tiles of " + std::to_string(answer + q.step) + ", one step wider than yours, take " +
           BytesOf(q, answer + q.step) +
           " that a block may have. Follow your program for this question: where does it decide for " +
           std::to_string(answer) + "?";
  }
};

TEST_F(TileForDevice, T4) {
  CheckCard("t4: 48 KB, 64 KB with opt-in", "t4");
}

TEST_F(TileForDevice, V100) {
  CheckCard("v100: 96 KB with opt-in", "v100");
}

TEST_F(TileForDevice, A100) {
  CheckCard("a100: 163 KB with opt-in, one less than the multiprocessor has", "a100");
}

TEST_F(TileForDevice, Rtx3060) {
  CheckCard("rtx3060: 99 KB with opt-in", "rtx3060");
}

TEST_F(TileForDevice, H200) {
  CheckCard("h200: 227 KB with opt-in", "h200");
}

/// The current device need not be the first.
TEST_F(TileForDevice, TheSecondDeviceIsCurrent) {
  Session().UseDevices("virtual:t4,h200", 1);
  Interview interview("t4 and h200 are present, and the h200, device 1, is current");
  for (Question question : QuestionsFor(*FindDeviceProfile("h200"))) {
    question.device_zero = FindDeviceProfile("t4");
    Ask(interview, question);
  }
  interview.Finish("Which device is current? cudaGetDevice says it.");
}

/// In one process: whoever keeps the first device's limit answers for the wrong one.
TEST_F(TileForDevice, TheCurrentDeviceChanges) {
  constexpr const char* kBoth = "virtual:t4,h200";
  Interview interview("t4 and h200 are present; first the h200 is current, then the t4");
  Session().UseDevices(kBoth, 1);
  Ask(interview, {FindDeviceProfile("h200"), 2, 4, 16, FindDeviceProfile("t4")});
  Session().UseDevices(kBoth, 0);
  Ask(interview, {FindDeviceProfile("t4"), 2, 4, 16, FindDeviceProfile("t4")});
  Ask(interview, {FindDeviceProfile("t4"), 1, 8, 8, FindDeviceProfile("t4")});
  interview.Finish(
      "Another device may be current in each call: what does your function ask anew in each of them, and "
      "what "
      "does it keep from one call to the next?");
}

/// A whole block needs more than any card has, or just what one has; or it has a thousand small tiles.
TEST_F(TileForDevice, NothingFits) {
  Session().UseDevices("virtual:t4");
  Interview interview("t4: blocks of which not even the smallest tiles fit, or just so, or many small ones");
  for (const Question& question : ExtremeQuestions()) Ask(interview, question);
  interview.Finish(next_step_);
}

TEST_F(TileForDevice, AnyElements) {
  RandomValues random = TestRandom();
  Session().UseDevices("virtual:rtx4090");
  Interview interview("rtx4090: random arrays, elements and steps");
  for (int i = 0; i < 30; ++i) {
    // A third of them over all that the contract allows.
    const bool any = i % 3 == 0;
    Ask(interview, {FindDeviceProfile("rtx4090"), 1 + static_cast<int>(random.Below(any ? 1024 : 8)),
                    1 + static_cast<int>(random.Below(any ? 64 : 16)),
                    1 + static_cast<int>(random.Below(any ? 4 : 24))});
  }
  interview.Finish(next_step_);
}

const bool recognises = RecogniseWith([] { return Recognise(AllAnswers()); });

}  // namespace
}  // namespace warplings::tile_for_device
