// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/occupancy_answers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grader/suite/random_values.h"
#include "tests/chapters/04_occupancy/sm_limits.h"

namespace warplings::occupancy_exercise {
namespace {

Question A100(int threads, int registers, int shared_bytes) {
  return {*FindDeviceProfile("a100"), {threads, registers, shared_bytes}};
}

/// Many uses of every card, and of one that nobody sells.
std::vector<Question> Sweep() {
  std::vector<DeviceProfile> cards(DeviceProfiles().begin(), DeviceProfiles().end());
  cards.push_back(MadeUpCard());
  cards.push_back(CardWithLittleSharedMemory());
  std::vector<Question> questions;
  for (const DeviceProfile& card : cards) {
    for (int threads = 1; threads <= 1056; threads += 31) {
      for (int registers = 1; registers < 256; registers += 7) {
        for (const int bytes :
             {0, 1, 127, 128, 2048, 8192, 32'768, 49'152, 65'536, 101'376, 166'912, 232'449}) {
          questions.push_back({card, {threads, registers, bytes}});
        }
      }
    }
  }
  return questions;
}

std::vector<std::string> Ids(const std::vector<Asked<Question, ::Occupancy>>& all) {
  std::vector<std::string> ids;
  for (const Recognised& each : Recognise(all)) ids.push_back(each.id);
  return ids;
}

/// The contract's rules are complete: they give what cuda_occupancy.h gives, for every card.
TEST(OccupancyArithmetic, AgreesWithCudaOccupancy) {
  for (const Question& q : Sweep()) {
    const ::Occupancy right = RightAnswer(q), ours = ArithmeticOf(q, 0);
    ASSERT_EQ(ours.blocks, right.blocks) << InWords(q);
    ASSERT_EQ(ours.limits, right.limits) << InWords(q);
    ASSERT_TRUE(SameOccupancy(ours.occupancy, right.occupancy)) << InWords(q);
  }
}

std::vector<Asked<Question, ::Occupancy>> AnswersWith(unsigned omissions) {
  std::vector<Asked<Question, ::Occupancy>> all;
  for (const Question& q : Sweep()) {
    if (all.size() % 7 == 0 || q.use.shared_bytes < 3000) all.push_back({q, ArithmeticOf(q, omissions)});
  }
  return all;
}

TEST(OccupancyArithmetic, EachOmissionIsToldFromTheOthers) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(Ids(AnswersWith(0)), Names{});
  EXPECT_EQ(Ids(AnswersWith(kReserved)), Names{"reserved_forgotten"});
  EXPECT_EQ(Ids(AnswersWith(kRounding)), Names{"registers_not_rounded"});
  EXPECT_EQ(Ids(AnswersWith(kPartitions)), Names{"partitions_forgotten"});
  EXPECT_EQ(Ids(AnswersWith(kWholeWarps)), Names{"threads_not_warps"});
  EXPECT_EQ(Ids(AnswersWith(kBlockSlots)), Names{"block_slots_forgotten"});
  EXPECT_EQ(Ids(AnswersWith(kOwnReserve)), Names{"nothing_asked_nothing_taken"});
  EXPECT_EQ(Ids(AnswersWith(kBlockSize)), Names{"block_size_not_limited"});
  EXPECT_EQ(Ids(AnswersWith(kReserved | kPartitions)), (Names{"reserved_forgotten", "partitions_forgotten"}));
}

// The seeds' figures, by the tools that judge.

TEST(Figures, SharedMemoryOfAThreadAtFullOccupancy) {
  const DeviceProfile& a100 = *FindDeviceProfile("a100");
  const double bytes =
      static_cast<double>(a100.shared_bytes_per_multiprocessor) / a100.max_threads_per_multiprocessor;
  EXPECT_NEAR(bytes, 82.0, 0.01);
}

TEST(Figures, BlocksOf32And768) {
  EXPECT_EQ(InWords(RightAnswer(A100(32, 32, 0))), "32 blocks, 50.0 %, limited by blocks");
  EXPECT_EQ(InWords(RightAnswer(A100(768, 32, 0))), "2 blocks, 75.0 %, limited by threads and registers");
}

TEST(Figures, SixtyFourRegisters) {
  EXPECT_EQ(InWords(RightAnswer(A100(256, 64, 0))), "4 blocks, 50.0 %, limited by registers");
}

TEST(Figures, TheCliffFrom31To33Registers) {
  EXPECT_EQ(InWords(RightAnswer(A100(512, 31, 0))), "4 blocks, 100.0 %, limited by threads and registers");
  EXPECT_EQ(InWords(RightAnswer(A100(512, 32, 0))), "4 blocks, 100.0 %, limited by threads and registers");
  EXPECT_EQ(InWords(RightAnswer(A100(512, 33, 0))), "3 blocks, 75.0 %, limited by registers");
  // 33 is rounded up to 40: the two cost the same.
  EXPECT_EQ(RightAnswer(A100(512, 40, 0)).blocks, RightAnswer(A100(512, 33, 0)).blocks);
}

/// 32 KB a block of 256 threads: 1312 threads by an average, 1280 with whole blocks, 1024 with the reserved
/// kilobyte; the book's 1272 comes from 132 B a thread.
TEST(Figures, AverageWholeBlocksAndTheReservedKilobyte) {
  const Question q = A100(256, 32, 32 * 1024);
  const double most = q.card.max_threads_per_multiprocessor;
  EXPECT_NEAR(OccupancyByAverage(q) * most, 1312, 0.01);
  EXPECT_NEAR(OccupancyByAverage(q), 0.64, 0.001);
  EXPECT_NEAR(std::floor(164.0 * 1024 / 132), 1272, 0.01);
  EXPECT_NEAR(ArithmeticOf(q, kReserved).occupancy * most, 1280, 0.01);
  EXPECT_NEAR(ArithmeticOf(q, kReserved).occupancy, 0.625, 1e-9);
  EXPECT_NEAR(RightAnswer(q).occupancy * most, 1024, 0.01);
  EXPECT_EQ(InWords(RightAnswer(q)), "4 blocks, 50.0 %, limited by shared memory");
}

}  // namespace
}  // namespace warplings::occupancy_exercise
