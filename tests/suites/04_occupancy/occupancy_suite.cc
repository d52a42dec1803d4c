// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 4's occupancy against NVIDIA's cuda_occupancy.h. The function gets all numbers as arguments,
// so that each test asks about several cards.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/suites/04_occupancy/messages.h"
#include "tests/suites/04_occupancy/occupancy_answers.h"
#include "tests/suites/04_occupancy/sm_limits.h"

namespace warplings::occupancy_exercise {
namespace {

std::vector<Asked<Question, ::Occupancy>>& AllAnswers() {
  static std::vector<Asked<Question, ::Occupancy>> all;
  return all;
}

const DeviceProfile& Card(const char* id) {
  return *FindDeviceProfile(id);
}

class OccupancyTest : public testing::Test {
 protected:
  void Ask(const DeviceProfile& card, const KernelUse& use) { Ask(Question{card, use}); }
  void Ask(const Question& q) {
    const auto answer = interview_.Ask<::Occupancy>(InWords(q), LimitsOf(q), q.use);
    AllAnswers().push_back({q, answer, RunningTest()});
    if (!answer) return;
    const ::Occupancy right = RightAnswer(q);
    const bool same = answer->blocks == right.blocks && SameOccupancy(answer->occupancy, right.occupancy) &&
                      answer->limits == right.limits;
    interview_.Compare(same, InWords(q), InWords(right), InWords(*answer), EachResource(q));
  }

  void Finish(const Message& next_step) { interview_.Finish(next_step); }
  void SetTitle(const Message& title) { interview_ = Interview(title); }

 private:
  Interview interview_{Message()};
};

TEST_F(OccupancyTest, BlockSizesOfTheBook) {
  SetTitle(say::occupancy_block_sizes(1024));
  for (const int threads : {1024, 512, 256, 128, 64, 32, 768}) Ask(Card("a100"), {threads, 24, 0});
  Finish(say::occupancy_draw_slots(2048));
}

TEST_F(OccupancyTest, RegistersOfTheBook) {
  SetTitle(say::occupancy_register_cliff());
  for (const int registers : {31, 32, 33, 40, 41, 64, 65, 128, 255}) {
    for (const int threads : {512, 256, 64}) Ask(Card("a100"), {threads, registers, 0});
  }
  Finish(say::occupancy_registers_of_warp());
}

TEST_F(OccupancyTest, SharedMemoryOfTheBook) {
  SetTitle(say::occupancy_32_kilobytes());
  for (const int bytes : {2048, 20'000, 31'800, 32'768, 40'000, 54'000, 81'000, 83'000, 163 * 1024}) {
    Ask(Card("a100"), {256, 32, bytes});
  }
  Finish(say::occupancy_besides_its_bytes());
}

TEST_F(OccupancyTest, WarpsAreWhole) {
  SetTitle(say::occupancy_whole_warps());
  for (const char* id : {"t4", "a100", "rtx3060"}) {
    for (const int threads : {1, 31, 33, 47, 100, 161, 257, 500, 769, 1000}) Ask(Card(id), {threads, 32, 0});
  }
  Finish(say::occupancy_warps_of_33());
}

TEST_F(OccupancyTest, RegistersComeInPortionsAndPartitions) {
  SetTitle(say::occupancy_register_portions());
  for (const char* id : {"t4", "a100"}) {
    for (int registers = 8; registers < 256; registers += 9) {
      Ask(Card(id), {64, registers, 0});
      Ask(Card(id), {192, registers, 0});
    }
  }
  Finish(say::occupancy_warps_in_partition());
}

TEST_F(OccupancyTest, SharedMemoryComesInPortions) {
  SetTitle(say::occupancy_shared_portions());
  for (const char* id : {"t4", "v100", "rtx4090", "h200"}) {
    const auto most = static_cast<int>(Card(id).shared_bytes_per_block_optin);
    for (int bytes = 0; bytes <= most; bytes = bytes + bytes / 4 + 501) Ask(Card(id), {128, 32, bytes});
    Ask(Card(id), {128, 32, most});
  }
  Finish(say::occupancy_add_then_round());
}

TEST_F(OccupancyTest, NothingTakenDoesNotLimit) {
  SetTitle(say::occupancy_no_reserve());
  for (const char* id : {"t4", "v100"}) {
    for (const int threads : {32, 128, 1024}) Ask(Card(id), {threads, 16, 0});
  }
  Finish(say::occupancy_how_often_nothing());
}

TEST_F(OccupancyTest, WhoAsksForNothingTakesTheReserve) {
  SetTitle(say::occupancy_reserve_of_none());
  for (const int threads : {32, 64, 128, 512}) {
    for (const int bytes : {0, 1, 1024, 7168}) Ask(CardWithLittleSharedMemory(), {threads, 24, bytes});
  }
  Finish(say::occupancy_taken_by_none());
}

TEST_F(OccupancyTest, TooLargeABlock) {
  SetTitle(say::occupancy_too_large());
  for (const char* id : {"t4", "a100", "h200"}) {
    const auto most = static_cast<int>(Card(id).shared_bytes_per_block_optin);
    Ask(Card(id), {1025, 16, 0});
    Ask(Card(id), {1024, 65, 0});
    Ask(Card(id), {2048, 16, 0});
    Ask(Card(id), {32, 16, most + 1});
    Ask(Card(id), {1025, 16, most + 1});
  }
  Finish(say::occupancy_resident_of_none());
}

TEST_F(OccupancyTest, NoCardsNumbersAreBuiltIn) {
  SetTitle(say::occupancy_made_up_cards());
  RandomValues random = TestRandom();
  for (int i = 0; i < 40; ++i) {
    Ask(MadeUpCard(), {32 * (1 + static_cast<int>(random.Below(32))), 16 + static_cast<int>(random.Below(80)),
                       static_cast<int>(random.Below(80'000))});
  }
  Ask(Question{CardOfOtherPortions(), {256, 33, 0}, kMadeUpPortions});
  Ask(Question{CardOfOtherPortions(), {256, 24, 19'000}, kMadeUpPortions});
  for (int i = 0; i < 40; ++i) {
    const int threads = 32 * (1 + static_cast<int>(random.Below(16)));
    const int registers = 16 + static_cast<int>(random.Below(80));
    const int bytes = i % 2 == 0 ? 0 : static_cast<int>(random.Below(20'000));
    Ask(Question{CardOfOtherPortions(), {threads, registers, bytes}, kMadeUpPortions});
  }
  Finish(say::occupancy_all_from_sm());
}

TEST_F(OccupancyTest, EveryCardAndAnyKernel) {
  SetTitle(say::occupancy_every_card());
  RandomValues random = TestRandom();
  for (const DeviceProfile& card : DeviceProfiles()) {
    for (int i = 0; i < 22; ++i) {
      const int threads = 1 + static_cast<int>(random.Below(1024));
      const int registers = 16 + static_cast<int>(random.Below(i % 2 == 0 ? 64 : 240));
      const int bytes = i % 3 == 0 ? 0 : static_cast<int>(random.Below(i % 3 == 1 ? 8192 : 60'000));
      Ask(card, {threads, registers, bytes});
    }
  }
  Finish(say::occupancy_by_hand());
}

const bool graded = GradedBy(
    {.shared = HostGrading(),
     .header = {"blocks, occupancy and limits (struct Occupancy) are right for every SM and kernel."},
     .page = {}});

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise(AllAnswers())); });

const bool states_facts = StateFactsWith([] { return FactsOf(AllAnswers()); });

}  // namespace
}  // namespace warplings::occupancy_exercise
