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

constexpr const char* kNextStep =
    "Write down, for the first wrong answer, the bytes of a tile one step wider.";

class TileForDevice : public testing::Test {
 protected:
  void Ask(Interview& interview, const Question& q) {
    const auto answer = interview.Ask<int>(q.arrays, q.element_bytes, q.step);
    AllAnswers().push_back({q, answer});
    if (!answer) return;
    const int right = LargestTile(q);
    // Of a width that nobody asked for: the submission's own, and its bytes.
    const std::string note = *answer > 0 && *answer <= 1 << 20 ? "yours takes " + BytesOf(q, *answer) : "";
    interview.Compare(*answer == right, InWords(q), std::to_string(right), std::to_string(*answer), note);
  }

  void CheckCard(const std::string& title, const char* id) {
    Session().UseDevices(std::string("virtual:") + id);
    Interview interview(title);
    for (const Question& question : QuestionsFor(*FindDeviceProfile(id))) Ask(interview, question);
    interview.Finish(kNextStep);
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

/// A whole block needs more than any card has, or just what one has.
TEST_F(TileForDevice, NothingFits) {
  Session().UseDevices("virtual:t4");
  Interview interview("t4: blocks of which not even the smallest tiles fit, or just so");
  for (const Question& question : ExtremeQuestions()) Ask(interview, question);
  interview.Finish("What does the contract say where nothing fits? And where the last byte is just used?");
}

TEST_F(TileForDevice, AnyElements) {
  RandomValues random = TestRandom();
  Session().UseDevices("virtual:rtx4090");
  Interview interview("rtx4090: random arrays, elements and steps");
  for (int i = 0; i < 30; ++i) {
    Ask(interview, {FindDeviceProfile("rtx4090"), 1 + static_cast<int>(random.Below(8)),
                    1 + static_cast<int>(random.Below(16)), 1 + static_cast<int>(random.Below(24))});
  }
  interview.Finish(kNextStep);
}

const bool recognises = RecogniseWith([] { return Recognise(AllAnswers()); });

}  // namespace
}  // namespace warplings::tile_for_device
