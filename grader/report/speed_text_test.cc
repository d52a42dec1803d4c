// SPDX-License-Identifier: Apache-2.0
#include "grader/report/speed_text.h"

#include <gtest/gtest.h>

#include "grader/report/terminal_report.h"
#include "tests/support/made_up_result.h"

namespace warplings {
namespace {

using Lines = std::vector<std::string>;

TEST(SpeedText, AMeasurementByShapeAndInAll) {
  const SpeedText text = DescribeSpeed(report_test::MadeUpSpeed());
  ASSERT_EQ(text.table.size(), 3u);
  EXPECT_EQ(text.table[1], (Lines{"width 2048", "2 ms", "8.59 TFLOP/s", "13 %", "3 ms", "1.50 [1.49, 1.51]",
                                  "1.53", "12", "1980 MHz"}));
  EXPECT_EQ(text.table[2], (Lines{"16777216 elements", "20 us", "3355 GB/s", "68 %", "3 ms",
                                  "1.50 [1.49, 1.51]", "1.53", "30", ""}));
  EXPECT_EQ(English(text.lines),
            (Lines{"Speedup over the baseline (a naive kernel): 1.50 [1.49, 1.51], which is 98 % of the "
                   "reference solution's 1.53.",
                   "Points for speed: 3 of 3."}));
}

TEST(SpeedText, AnIntervalThatHoldsOneTellsNothing) {
  EXPECT_EQ(English(SpeedupText({1.01, 0.98, 1.03})), "1.01 [0.98, 1.03], too close to tell");
}

TEST(SpeedText, WhatIsAsFastAsTheReferenceIsNotRanked) {
  SpeedResult speed = report_test::MadeUpSpeed();
  speed.over_reference = Interval{0.995, 0.98, 1.01};
  EXPECT_NE(English(DescribeSpeed(speed).lines[0]).find("too close to tell apart"), std::string::npos);
}

TEST(SpeedText, WithoutAReferenceThereIsNoShare) {
  SpeedResult speed = report_test::MadeUpSpeed();
  speed.reference_speedup.reset();
  speed.over_reference.reset();
  speed.shapes[0].reference_speedup.reset();
  speed.graded = false;
  const SpeedText text = DescribeSpeed(speed);
  EXPECT_EQ(English(text.lines), Lines{"Speedup over the baseline (a naive kernel): 1.50 [1.49, 1.51]."});
  EXPECT_EQ(text.table[1][6], "");
}

TEST(SpeedText, TheHostsPartIsTold) {
  SpeedResult speed = report_test::MadeUpSpeed();
  speed.live_reason = "more work followed a copy to the host";
  EXPECT_NE(English(DescribeSpeed(speed).lines[1]).find("a copy to the host"), std::string::npos);
}

TEST(SpeedText, WhatIsNotMeasuredSaysWhy) {
  SpeedResult speed;
  speed.reason = "speed is measured on a GPU only";
  speed.baseline = "a naive kernel";
  EXPECT_EQ(English(DescribeSpeed(speed).lines),
            Lines{"Not measured: speed is measured on a GPU only. The baseline is a naive kernel."});
}

TEST(SpeedText, AnEstimateSaysThatItIsOneAndHowWellItHeld) {
  const SpeedText text = DescribeSpeed(report_test::MadeUpEstimate());
  EXPECT_EQ(text.table, (std::vector<Lines>{{"width 1024", "baseline", "yours", "ratio"},
                                            {"time, estimated", "420 us", "280 us", "1.5"},
                                            {"bound by", "shared memory and L1", "instruction issue", ""},
                                            {"bytes of DRAM", "12,582,912", "12,582,912", "1.00"},
                                            {"sectors asked for", "83,886,080", "8,519,680", "9.85"},
                                            {"shared wavefronts", "0", "20,971,520", ""},
                                            {"warp instructions", "33,554,432", "30,000,000", "1.12"}}));
  EXPECT_EQ(
      English(text.lines),
      (Lines{"Estimated for NVIDIA A100-SXM4-40GB, not measured: 1.5 times as fast as the baseline (a naive "
             "kernel). The counts come from a sample of the blocks. This does not affect your points.",
             "On NVIDIA H200, the model's mean error was 21 %, for 67 kernels that were not used to fit it; "
             "for this GPU it has not been checked."}));
}

TEST(SpeedText, AnEstimateWithinItsErrorDoesNotSayWhichIsFaster) {
  SpeedResult speed = report_test::MadeUpEstimate();
  speed.estimate->speedup = 0.91;
  const SpeedText text = DescribeSpeed(speed);
  EXPECT_EQ(text.table[1].back(), "about 1");
  EXPECT_TRUE(English(text.lines[0])
                  .starts_with("Estimated for NVIDIA A100-SXM4-40GB, not measured: about as fast as the "
                               "baseline (a naive kernel); the difference is within the model's error."))
      << English(text.lines[0]);
}

TEST(SpeedText, ASlowerAnswerHearsOfWhatItHasMore) {
  SpeedResult speed = report_test::MadeUpEstimate();
  const auto more = [&] {
    return English(DescribeSpeed(speed).lines[0]).find("times as many") != std::string::npos;
  };
  speed.estimate->submission.instructions = 16 * speed.estimate->baseline.instructions;
  EXPECT_FALSE(more()) << "it is faster";
  speed.estimate->speedup = 0.1;
  EXPECT_TRUE(
      English(DescribeSpeed(speed).lines[0])
          .ends_with("Your code executes 16.0 times as many warp instructions as the baseline: does a loop "
                     "run more often than it has elements to work on?"))
      << English(DescribeSpeed(speed).lines[0]);
  speed.estimate->submission.sectors = 32 * speed.estimate->baseline.sectors;
  EXPECT_TRUE(
      English(DescribeSpeed(speed).lines[0])
          .ends_with("Your code asks for 32.0 times as many sectors of global memory as the baseline."));
  speed.estimate->submission = speed.estimate->baseline;
  EXPECT_FALSE(more()) << "no count tells";
}

TEST(SpeedText, AnEstimateForTheCardThatItHeldOnSaysNoMore) {
  SpeedResult speed = report_test::MadeUpEstimate();
  speed.estimate->held_here = true;
  EXPECT_TRUE(English(DescribeSpeed(speed).lines[1]).ends_with("that were not used to fit it."));
}

TEST(SpeedText, ARefusalShowsNoTimes) {
  SpeedResult speed = report_test::MadeUpSpeed();
  speed.status = SpeedStatus::kRefused;
  speed.reason = "it is faster than this card";
  speed.share = 0;
  const SpeedText text = DescribeSpeed(speed);
  EXPECT_TRUE(text.table.empty());
  EXPECT_EQ(English(text.lines),
            (Lines{"Not accepted: it is faster than this card.", "Points for speed: 0 of 3."}));
}

TEST(SpeedText, IsASectionOfTheReport) {
  ExerciseResult result = report_test::MadeUpResult();
  result.speed = report_test::MadeUpSpeed();
  const std::string report =
      TerminalReport(result, {.colour = false, .columns = 80, .detail = Detail::kFull});
  EXPECT_NE(report.find("\nSpeed\n"), std::string::npos);
  EXPECT_NE(report.find("8.59 TFLOP/s"), std::string::npos);
}

}  // namespace
}  // namespace warplings
