// SPDX-License-Identifier: Apache-2.0
// The wrong ideas about block sizes and devices are told apart by the questions that the suites ask.
#include <gtest/gtest.h>

#include "tests/chapters/04_occupancy/block_size_answers.h"
#include "tests/chapters/04_occupancy/device_answers.h"
#include "tests/chapters/04_occupancy/sm_limits.h"

namespace warplings {
namespace {

std::vector<std::string> IdsOf(const std::vector<Recognised>& found) {
  std::vector<std::string> ids;
  for (const Recognised& each : found) ids.push_back(each.id);
  return ids;
}

using Names = std::vector<std::string>;

TEST(PickBlockSize, EveryWrongIdeaIsToldFromTheOthers) {
  using namespace pick_block_size;
  for (const auto& idea : WrongIdeas()) {
    std::vector<Asked<Question, int>> all;
    for (const char* id : {"a100", "t4", "rtx4090", "h200"}) {
      for (const Question& q : QuestionsFor(*FindDeviceProfile(id))) all.push_back({q, idea.answer(q)});
    }
    for (const Question& q : ExtremeQuestions()) all.push_back({q, idea.answer(q)});
    EXPECT_EQ(IdsOf(Recognise(all)), Names{idea.id});
  }
}

/// By hand. 72 registers x 32 = 2304, of which 7 warps fit into a partition's 16,384, 28 into the SM: one
/// block of 28 warps, or two of 14, or seven of 4; 896 threads is the largest.
TEST(PickBlockSize, AnswersAreThoseByHand) {
  using namespace pick_block_size;
  const auto best = [](const char* id, int registers, int bytes, int per_thread) {
    return BestBlockSize({*FindDeviceProfile(id), registers, bytes, per_thread});
  };
  EXPECT_EQ(best("a100", 72, 0, 0), 896);
  EXPECT_EQ(best("a100", 32, 0, 0), 1024);
  EXPECT_EQ(best("rtx4090", 32, 0, 0), 768);
  EXPECT_EQ(best("t4", 32, 65'537, 0), 0);
  EXPECT_EQ(best("t4", 32, 0, 2048), 32);
}

TEST(PickDevice, EveryWrongIdeaIsToldFromTheOthers) {
  using namespace pick_device;
  for (const auto& idea : WrongIdeas()) {
    std::vector<Asked<Question, int>> all;
    for (const auto& machine : Machines()) {
      for (const std::uint64_t bytes : Sizes()) {
        const Question q = Machine(machine, bytes);
        all.push_back({q, idea.answer(q)});
      }
    }
    EXPECT_EQ(IdsOf(Recognise(all)), Names{idea.id});
  }
}

TEST(PickDevice, AnswersAreThoseByHand) {
  using namespace pick_device;
  EXPECT_EQ(BestDevice(Machine({"integrated", "t4", "a100"}, 1)), 2);
  EXPECT_EQ(BestDevice(Machine({"integrated"}, 1)), 0);
  EXPECT_EQ(BestDevice(Machine({"h200", "rtx4090"}, 1)), 1);                        // 261 against 323
  EXPECT_EQ(BestDevice(Machine({"h200", "rtx4090"}, std::uint64_t{30} << 30)), 0);  // 24 GiB are too few
  EXPECT_EQ(BestDevice(Machine({"t4", "t4"}, 1)), 0);
  EXPECT_EQ(BestDevice(Machine({"gb10", "t4"}, 1)), 1);  // 116 against 64, but integrated
  EXPECT_EQ(BestDevice(Machine({"gb10", "t4"}, std::uint64_t{20} << 30)), 0);  // 15 GiB are too few
  EXPECT_EQ(BestDevice(Machine({"a100"}, std::uint64_t{400} << 30)), -1);
}

}  // namespace
}  // namespace warplings
