// SPDX-License-Identifier: Apache-2.0
// Wrong steps on the way to a block size and to a device are told apart by the questions that the suites ask.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "grader/suite/random_values.h"
#include "tests/suites/04_occupancy/block_size_answers.h"
#include "tests/suites/04_occupancy/device_answers.h"
#include "tests/suites/04_occupancy/messages.h"
#include "tests/suites/04_occupancy/sm_limits.h"
#include "tests/suites/common/messages.h"
#include "tests/suites/common/step_students.h"
#include "tests/support/drawn.h"

namespace warplings {
namespace {

const std::equal_to<> kSame;

std::vector<pick_block_size::Question> Kernels() {
  std::vector<pick_block_size::Question> questions = pick_block_size::ExtremeQuestions();
  std::ranges::move(pick_block_size::QuestionsOfLimits(), std::back_inserter(questions));
  for (const char* id : {"a100", "t4", "rtx4090", "h200"}) {
    std::ranges::move(pick_block_size::QuestionsFor(*FindDeviceProfile(id)), std::back_inserter(questions));
  }
  RandomValues random(3);
  for (int i = 0; i < 30; ++i) {
    questions.push_back({MadeUpCard(), 16 + static_cast<int>(random.Below(180)),
                         static_cast<int>(random.Below(20'000)), static_cast<int>(random.Below(64))});
  }
  std::ranges::move(pick_block_size::QuestionsOfPortions(), std::back_inserter(questions));
  return questions;
}

TEST(PickBlockSize, EveryMistakeIsTold) {
  RUN_ONE_IN(6);
  const auto single = step_search::TallyOf(pick_block_size::BlockSize(), Kernels(), kSame, 1);
  EXPECT_EQ(single.exact + single.unseen, single.students);
  // Rounding and limits that no best size depends on.
  EXPECT_LE(single.unseen, 6);
  const auto pairs = step_search::TallyOf(pick_block_size::BlockSize(), Kernels(), kSame, 2);
  EXPECT_GE(pairs.exact + pairs.part, pairs.students * 9 / 10);
}

TEST(PickBlockSize, WithoutAMistakeTheStepsAreTheOracle) {
  for (const auto& q : Kernels()) {
    EXPECT_EQ(pick_block_size::BlockSize().answer(q, pick_block_size::BlockSize().Right()),
              pick_block_size::BestBlockSize(q))
        << pick_block_size::InWords(q);
  }
}

TEST(PickBlockSize, NonsenseIsAccusedOfNothing) {
  step_search::ExpectNonsenseIsAccusedOfNothing(
      pick_block_size::BlockSize(), Kernels(), kSame,
      [](RandomValues& random) { return 32 * static_cast<int>(1 + random.Below(32)); });
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

/// A size that is the answer to another question is tried.
TEST(PickBlockSize, OfEqualSizesItIsAskedWhyTheLargerIsNone) {
  using namespace pick_block_size;
  const DeviceProfile& a100 = *FindDeviceProfile("a100");
  const Question fifty{a100, 50, 0, 0};
  ASSERT_EQ(BestBlockSize(fifty), 576);
  const Asked<Question, int> wrong{fifty, 384}, other{{a100, 40, 0, 0}, 576};
  const std::string untried = English(Advise({wrong})), tried = English(Advise({wrong, other}));
  EXPECT_TRUE(untried.starts_with("You never return 576 threads: for ")) << untried;
  EXPECT_TRUE(tried.ends_with("and the larger size is right. Why does it not win?")) << tried;
}

struct Limits {
  int max_threads, max_blocks, max_threads_per_block, registers, register_unit, shared_bytes,
      max_shared_bytes_per_block, reserved_shared_bytes, shared_unit;
};

int RoundedUp(int number, int unit) {
  return (number + unit - 1) / unit * unit;
}

/// What a student's program is named by who tries all sizes and counts the warps of each with `warps_of`.
template <class WarpsOf>
std::string NamedBySearch(const WarpsOf& warps_of) {
  step_search::Answered<pick_block_size::Question, int> answers;
  for (const pick_block_size::Question& q : Kernels()) {
    const Limits sm = LimitsOf<Limits>(q.card, q.portions);
    int best = 0, most = 1;
    for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
      const int warps = warps_of(sm, q, threads);
      if (warps >= most) best = threads, most = warps;
    }
    answers.emplace_back(q, best);
  }
  const auto found = step_search::Explain(pick_block_size::BlockSize(), answers, kSame);
  return found ? step_search::WordsOfAll(*found) : "";
}

TEST(PickBlockSize, WarpsThatAreNoWholeBlocksAreTold) {
  const auto warps_of = [](const Limits& sm, const pick_block_size::Question& q, int threads) {
    const int bytes = q.shared_bytes + threads * q.shared_bytes_per_thread;
    if (bytes > sm.max_shared_bytes_per_block) return 0;
    int blocks = sm.max_blocks;
    if (const int taken = RoundedUp(bytes + sm.reserved_shared_bytes, sm.shared_unit); taken > 0)
      blocks = std::min(blocks, sm.shared_bytes / taken);
    const int with_registers = 4 * (sm.registers / 4 / RoundedUp(32 * q.registers, sm.register_unit));
    return std::min({sm.max_threads / 32, with_registers, blocks * threads / 32});
  };
  EXPECT_EQ(NamedBySearch(warps_of), English(say::step_warps_in_no_blocks()));
}

TEST(PickBlockSize, MemoryOfThreadsThatCountsOnlyBesideABlocksOwnIsTold) {
  const auto warps_of = [](const Limits& sm, const pick_block_size::Question& q, int threads) {
    const int warps = threads / 32, bytes = q.shared_bytes + threads * q.shared_bytes_per_thread;
    if (bytes > sm.max_shared_bytes_per_block) return 0;
    int blocks = std::min(sm.max_blocks, sm.max_threads / threads);
    blocks = std::min(blocks, sm.registers / 4 / RoundedUp(32 * q.registers, sm.register_unit) * 4 / warps);
    if (q.shared_bytes > 0) {
      const int taken = RoundedUp(bytes + sm.reserved_shared_bytes, sm.shared_unit);
      blocks = std::min(blocks, sm.shared_bytes / taken);
    }
    return blocks * warps;
  };
  EXPECT_EQ(NamedBySearch(warps_of), English(say::step_memory_only_beside_blocks()));
}

/// A table of customary sizes has no trait of a kernel in common.
TEST(PickBlockSize, WhereNothingIsSharedTheFirstWrongAnswerStandsBesideTheRightOne) {
  using namespace pick_block_size;
  std::vector<Asked<Question, int>> all;
  for (const Question& q : Kernels()) {
    int best = 0, most = 1;
    for (const int size : {64, 128, 192, 256, 384, 512, 768, 1024}) {
      const Message words = InWords(q, size);
      if (!say::block_size_answer.Made(words)) continue;
      const auto warps = static_cast<int>(words.arguments().at(2).number);
      if (warps < most) continue;
      most = warps;
      best = size;
    }
    all.push_back({q, best});
  }
  const Message advice = Advise(all);
  EXPECT_TRUE(say::block_size_numbers_of_right.Made(advice)) << advice;
  // A size that can be launched is one of two whose blocks are counted.
  const Question q = {*FindDeviceProfile("a100"), 33, 0, 0};
  EXPECT_EQ(
      English(Advise({{q, 1024}})),
      "For a100, 33 registers, no shared memory: you return 1024 threads. With that size an SM holds 1 block "
      "(32 warps); with 768 threads it holds 2 blocks (48 warps). For each of the two sizes, how many blocks "
      "and "
      "warps does your program count?");
}

std::vector<pick_device::Question> Programs() {
  std::vector<pick_device::Question> questions;
  for (const auto& machines : {pick_device::Machines(), pick_device::Orders()}) {
    for (const auto& machine : machines) {
      for (const std::uint64_t bytes : pick_device::Sizes())
        questions.push_back(pick_device::Machine(machine, bytes));
    }
  }
  return questions;
}

TEST(PickDevice, EveryMistakeIsTold) {
  const auto single = step_search::TallyOf(pick_device::Device(), Programs(), kSame, 1);
  EXPECT_EQ(single.exact, single.students);
  const auto pairs = step_search::TallyOf(pick_device::Device(), Programs(), kSame, 2);
  EXPECT_GE(pairs.exact + pairs.part, pairs.students * 9 / 10);
}

int AnyDevice(RandomValues& random) {
  return static_cast<int>(random.Below(5)) - 1;
}

TEST(PickDevice, NonsenseIsAccusedOfNothing) {
  step_search::ExpectNonsenseIsAccusedOfNothing(pick_device::Device(), Programs(), kSame, AnyDevice);
}

/// Clocks are held to the kHz, in both orders of the cards, and all eight devices are looked at.
TEST(PickDevice, ClocksDifferByLessThanAMegahertz) {
  using namespace pick_device;
  EXPECT_EQ(BestDevice(Machine({"gtx1080_1733", "gtx1080"}, 1)), 1);
  EXPECT_EQ(BestDevice(Machine({"gtx1080", "gtx1080_1733"}, 1)), 0);
  EXPECT_EQ(BestDevice(Machine(Machines()[16], 1)), 7);
}

/// Half of the answers wrong in no pattern: then the first of them stands beside the right one.
TEST(PickDevice, WhereNothingIsSharedTheFirstWrongAnswerStandsBesideTheRightOne) {
  using namespace pick_device;
  std::vector<Asked<Question, int>> all;
  int number = 0;
  for (const Question& q : Programs()) {
    const int right = BestDevice(q);
    all.push_back({q, ++number % 2 == 0 ? right : right + 1});
  }
  const Message none = InWords(Machine({"a100"}, 0), 1), right = InWords(Machine({"a100"}, 0), 0);
  EXPECT_EQ(English(none), "1: no such device");
  EXPECT_EQ(English(right), "0: a100");
  EXPECT_EQ(Advise(all), say::beside_the_right_one(InWords(Machine({"a100"}, 0)), none, right));
}

/// The example ends with a card: without names it would seem to contradict the misconception's title.
TEST(PickDevice, AnExampleNamesTheDevicesThatReplaceEachOther) {
  using namespace pick_device;
  step_search::Versions versions = Device().Right();
  for (std::size_t step = 0; step < versions.size(); ++step) {
    const auto& wrong = Device().steps[step];
    const auto found = std::ranges::find(wrong, say::step_one_reason(), &step_search::WrongStep::words);
    if (found != wrong.end()) versions[step] = static_cast<int>(found - wrong.begin()) + 1;
  }
  std::vector<Asked<Question, int>> all;
  for (const Question& q : Programs()) all.push_back({q, Device().answer(q, versions), "AnyMachine"});
  const std::vector<Fact> facts = FactsOf(all);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].id, "cycles_before_kind");
  const std::string words = English(facts[0].message);
  const auto named = words.find(
      "With the devices t4, gb10, rtx3060, orin, in this order, the gb10 replaces the t4. Then the "
      "rtx3060, "
      "a card, replaces the gb10, although the t4 has the larger product. Example: 4 devices (t4, gb10, "
      "rtx3060, "
      "orin)");
  EXPECT_NE(named, std::string::npos) << words;
}

TEST(PickDevice, AnswersAreThoseByHand) {
  using namespace pick_device;
  EXPECT_EQ(BestDevice(Machine({"orin", "t4", "a100"}, 1)), 2);
  EXPECT_EQ(BestDevice(Machine({"orin"}, 1)), 0);
  EXPECT_EQ(BestDevice(Machine({"h200", "rtx4090"}, 1)), 1);                        // 261 against 323
  EXPECT_EQ(BestDevice(Machine({"h200", "rtx4090"}, std::uint64_t{30} << 30)), 0);  // 24 GiB are too few
  EXPECT_EQ(BestDevice(Machine({"t4", "t4"}, 1)), 0);
  EXPECT_EQ(BestDevice(Machine({"gb10", "t4"}, 1)), 1);  // 116 against 64, but integrated
  EXPECT_EQ(BestDevice(Machine({"gb10", "t4"}, std::uint64_t{20} << 30)), 0);  // 15 GiB are too few
  EXPECT_EQ(BestDevice(Machine({"integrated_large", "gtx1080"}, 1)), 1);       // 20,000 against 35
  EXPECT_EQ(BestDevice(Machine({"gtx1080", "integrated_large"}, 1)), 0);
  EXPECT_EQ(BestDevice(Machine({"a100"}, std::uint64_t{400} << 30)), -1);
}

}  // namespace
}  // namespace warplings
