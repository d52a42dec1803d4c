// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warplings::timing {
namespace {

/// A clock that advances with the rounds, and programs whose samples the test defines.
class ScheduleTest : public testing::Test {
 protected:
  Result<ScheduleOutcome> Run(std::size_t programs, const ScheduleOptions& options,
                              const std::function<Sample(std::size_t program, std::size_t round)>& sample) {
    rounds_ = 0;
    return RunSchedule(
        programs, options,
        [&](const std::vector<std::size_t>& order) -> Result<std::vector<Sample>> {
          std::vector<Sample> samples(programs);
          for (const std::size_t program : order) samples[program] = sample(program, rounds_);
          ++rounds_;
          seconds_ += 0.1;
          return samples;
        },
        [this] { return seconds_; });
  }

  std::size_t rounds_ = 0;
  double seconds_ = 0;
};

TEST_F(ScheduleTest, QuietProgramsStopAtTheLeastSamples) {
  const auto outcome =
      Run(3, {}, [](std::size_t program, std::size_t) { return Sample{static_cast<double>(program + 1)}; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, ScheduleEnd::kPrecise);
  EXPECT_EQ(rounds_, 10u);
  EXPECT_EQ(outcome->programs[2].seconds, std::vector<double>(10, 3.0));
}

TEST_F(ScheduleTest, OneNoisyProgramKeepsAllGoing) {
  ScheduleOptions options;
  options.time_limit = 100;
  const auto outcome = Run(2, options, [](std::size_t program, std::size_t round) {
    return Sample{program == 1 ? 1 + 0.02 * static_cast<double>(round < 8 ? round % 2 : round % 3 * 4) : 1};
  });
  ASSERT_TRUE(outcome.ok());
  EXPECT_GT(rounds_, 10u);
  EXPECT_EQ(outcome->programs[0].seconds.size(), rounds_);
}

TEST_F(ScheduleTest, EnoughSamplesMakeNoisyProgramsPrecise) {
  ScheduleOptions options;
  options.time_limit = 100;
  const auto outcome =
      Run(1, options, [](std::size_t, std::size_t round) { return Sample{round % 2 == 0 ? 0.98 : 1.02}; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, ScheduleEnd::kPrecise);
  EXPECT_NEAR(static_cast<double>(rounds_), 156, 5) << "2 % over 80 % that count over the root of 156: 0.2 %";
}

TEST_F(ScheduleTest, TheTimeLimitEndsIt) {
  ScheduleOptions options;
  options.time_limit = 0.45;
  const auto outcome = Run(1, options, [](std::size_t, std::size_t) { return Sample{1}; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, ScheduleEnd::kTime);
  EXPECT_EQ(rounds_, 5u);
}

TEST_F(ScheduleTest, SlowRoundsAreAtLeastThree) {
  ScheduleOptions options;
  options.time_limit = 0.05;
  const auto outcome = Run(1, options, [](std::size_t, std::size_t) { return Sample{1}; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(rounds_, 3u);
}

TEST_F(ScheduleTest, RunsAtALowClockDoNotCount) {
  const auto outcome = Run(2, {}, [](std::size_t program, std::size_t round) {
    return Sample{1, program == 0 && round < 4 ? 0.5 : 1.0};
  });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->programs[0].discarded, 4u);
  EXPECT_EQ(outcome->programs[0].seconds.size(), 10u);
  EXPECT_EQ(outcome->programs[1].seconds.size(), 14u);
}

TEST_F(ScheduleTest, AClockThatStaysLowLeavesNoSamples) {
  const auto outcome = Run(1, {}, [](std::size_t, std::size_t) { return Sample{1, 0.7}; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, ScheduleEnd::kTime);
  EXPECT_TRUE(outcome->programs[0].seconds.empty());
}

TEST_F(ScheduleTest, AFailedRoundEndsWithItsReason) {
  const auto outcome = RunSchedule(
      1, {}, [](const auto&) -> Result<std::vector<Sample>> { return GraderError("the card is gone"); },
      [] { return 0.0; });
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(English(outcome.error().message), "the card is gone");
}

TEST(OrderOfRound, EveryProgramIsInEveryPlaceEquallyOften) {
  std::map<std::pair<std::size_t, std::size_t>, int> seen;
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t round = 0; round < 6; ++round) {
    const auto order = OrderOfRound(round, 3);
    orders.insert(order);
    for (std::size_t place = 0; place < 3; ++place) ++seen[{order[place], place}];
  }
  EXPECT_EQ(orders.size(), 6u);
  for (const auto& [where, times] : seen) EXPECT_EQ(times, 2);
}

}  // namespace
}  // namespace warplings::timing
