// SPDX-License-Identifier: Apache-2.0
#include "grader/course/late.h"

#include <gtest/gtest.h>

#include "grader/course/time_zone.h"

namespace warplings {
namespace {

constexpr std::int64_t kDay = 86400, kDue = 1'800'000'000;

Assignment MakeAssignment() {
  Assignment assignment;
  assignment.due = kDue;
  assignment.late = {.grace_seconds = 900, .percent_per_day = 10, .cap_percent = 35, .closed_after_days = 7};
  return assignment;
}

Lateness At(std::int64_t after_due, const Extension* extension = nullptr) {
  return JudgeLateness({kDue + after_due, false}, MakeAssignment(), extension);
}

TEST(Late, TheDueDateAndTheGraceAreInTime) {
  for (const std::int64_t after : {-5 * kDay, std::int64_t{-1}, std::int64_t{0}}) {
    EXPECT_EQ(At(after).seconds, 0) << after;
    EXPECT_EQ(At(after).percent, 0) << after;
  }
  EXPECT_EQ(At(1).seconds, 1);
  EXPECT_EQ(At(1).percent, 0);
  EXPECT_EQ(At(900).percent, 0);
  EXPECT_EQ(At(900).reason, "");
}

TEST(Late, EachDayThatWasBegunCountsFromTheDueDate) {
  EXPECT_EQ(At(901).percent, 10);  // The grace is no part of the day.
  EXPECT_EQ(At(kDay).percent, 10);
  EXPECT_EQ(At(kDay + 1).percent, 20);
  EXPECT_EQ(At(kDay + 7200).reason, "26 h late: 2 days begun at 10 % a day, -20 %");
  EXPECT_EQ(At(3600).reason, "1 h late: 1 day begun at 10 % a day, -10 %");
}

TEST(Late, TheCapHoldsUntilItIsClosed) {
  EXPECT_EQ(At(3 * kDay).percent, 30);
  EXPECT_EQ(At(3 * kDay + 1).percent, 35);
  EXPECT_EQ(At(7 * kDay).percent, 35);
  EXPECT_EQ(At(7 * kDay).reason, "7 days late: 7 days begun at 10 % a day, -35 % (the most)");
  EXPECT_EQ(At(7 * kDay + 1).percent, 100);
  EXPECT_EQ(At(7 * kDay + 1).reason, "7 days late: closed after 7 days");
}

TEST(Late, AnExtensionMovesTheDueDate) {
  Extension three_days;
  three_days.more_seconds = 3 * kDay;
  EXPECT_EQ(At(3 * kDay, &three_days).seconds, 0);
  EXPECT_EQ(At(4 * kDay, &three_days).percent, 10);
  // What was capped without it, and closed: both count from the new date.
  EXPECT_EQ(At(10 * kDay, &three_days).percent, 35);
  EXPECT_EQ(At(10 * kDay + 1, &three_days).percent, 100);
  Extension own;
  own.due = kDue + 20 * kDay;
  EXPECT_EQ(At(20 * kDay, &own).percent, 0);
  EXPECT_EQ(At(20 * kDay + 901, &own).percent, 10);
  Extension earlier;
  earlier.due = kDue - kDay;
  EXPECT_EQ(At(0, &earlier).percent, 10);
}

TEST(Late, FreeDaysCostNothingAndAreUsedOnlyWhereTheySave) {
  const auto at = [](std::int64_t after_due, std::int64_t free_days, const Extension* extension = nullptr) {
    return JudgeLateness({kDue + after_due, false}, MakeAssignment(), extension, free_days);
  };
  EXPECT_EQ(at(900, 2).free_days, 0);  // Within the grace.
  EXPECT_EQ(at(901, 2).free_days, 1);
  EXPECT_EQ(at(kDay, 2).free_days, 1);
  EXPECT_EQ(at(kDay + 1, 2).free_days, 2);
  EXPECT_EQ(at(2 * kDay, 2).percent, 0);
  EXPECT_EQ(at(2 * kDay, 2).reason, "2 days late: 2 days begun, all of them free");
  EXPECT_EQ(at(2 * kDay + 1, 2).free_days, 2);
  EXPECT_EQ(at(2 * kDay + 1, 2).percent, 10);
  EXPECT_EQ(at(901, 2).reason, "15 min late: 1 day begun, and it is free");
  EXPECT_EQ(at(kDay + 7200, 1).reason, "26 h late: 2 days begun, 1 of them free: 1 day at 10 % a day, -10 %");
  EXPECT_EQ(at(3 * kDay, 1).reason, "3 days late: 3 days begun, 1 of them free: 2 days at 10 % a day, -20 %");
  EXPECT_EQ(at(7 * kDay, 2).free_days, 0);  // 50 % instead of 70 %: the cap is 35 %.
  EXPECT_EQ(at(7 * kDay, 5).free_days, 5);
  EXPECT_EQ(at(7 * kDay, 5).percent, 20);
  EXPECT_EQ(at(7 * kDay + 1, 9).free_days, 0);  // Closed.
  EXPECT_EQ(at(7 * kDay + 1, 9).percent, 100);
  Extension spared;
  spared.no_deduction = true;
  EXPECT_EQ(at(3 * kDay, 5, &spared).free_days, 0);
  const Lateness marked = JudgeLateness({std::nullopt, true}, MakeAssignment(), nullptr, 1);
  EXPECT_EQ(marked.free_days, 1);
  EXPECT_EQ(marked.percent, 0);
}

TEST(Late, NoDeductionStillSaysHowLate) {
  Extension spared;
  spared.no_deduction = true;
  EXPECT_EQ(At(30 * kDay, &spared).percent, 0);
  EXPECT_EQ(At(30 * kDay, &spared).seconds, 30 * kDay);
}

TEST(Late, WithinTheGracePeriodAndAfterClosingAreSaid) {
  const std::int64_t grace = MakeAssignment().late.grace_seconds;
  ASSERT_GT(grace, 0);
  EXPECT_FALSE(At(0).is_within_grace);
  EXPECT_TRUE(At(grace).is_within_grace);
  EXPECT_FALSE(At(grace + 1).is_within_grace);
  EXPECT_FALSE(At(7 * kDay).is_closed);
  EXPECT_TRUE(At(7 * kDay + 1).is_closed);
  Extension spared;
  spared.no_deduction = true;
  EXPECT_FALSE(At(30 * kDay, &spared).is_closed);
}

TEST(Late, ADayIs24HoursWhenClocksChange) {
  Assignment assignment = MakeAssignment();
  // The night of the 25th has 25 hours in Berlin.
  assignment.due = *ToUtc({2026, 10, 24, 23, 59, 0}, "Europe/Berlin");
  const auto same_clock = *ToUtc({2026, 10, 25, 23, 59, 0}, "Europe/Berlin");
  EXPECT_EQ(same_clock - *assignment.due, 25 * 3600);
  EXPECT_EQ(JudgeLateness({same_clock, false}, assignment, nullptr).percent, 20);
  EXPECT_EQ(JudgeLateness({same_clock - 3600, false}, assignment, nullptr).percent, 10);
}

TEST(Late, WithoutADueDateNothingIsLate) {
  Assignment assignment = MakeAssignment();
  assignment.due.reset();
  EXPECT_EQ(JudgeLateness({kDue + 100 * kDay, true}, assignment, nullptr).percent, 0);
}

TEST(Late, AnUnknownTimeIsInTimeUnlessTheLmsSaysLate) {
  const Assignment assignment = MakeAssignment();
  EXPECT_EQ(JudgeLateness({std::nullopt, false}, assignment, nullptr).percent, 0);
  const Lateness marked = JudgeLateness({std::nullopt, true}, assignment, nullptr);
  EXPECT_EQ(marked.percent, 10);
  EXPECT_TRUE(marked.is_guess);
  EXPECT_EQ(marked.reason, "marked late: 1 day begun at 10 % a day, -10 %");
  Extension extension;
  extension.more_seconds = kDay;
  EXPECT_EQ(JudgeLateness({std::nullopt, true}, assignment, &extension).percent, 0);
  // A time that is known counts for more than a mark.
  EXPECT_EQ(JudgeLateness({kDue, true}, assignment, nullptr).percent, 0);
}

TEST(Late, WithoutARuleLateWorkLosesNothing) {
  Assignment assignment;
  assignment.due = kDue;
  const Lateness late = JudgeLateness({kDue + kDay, false}, assignment, nullptr);
  EXPECT_EQ(late.seconds, kDay);
  EXPECT_EQ(late.percent, 0);
  EXPECT_EQ(late.reason, "");
}

TEST(Late, DurationsReadWell) {
  EXPECT_EQ(ShowDuration(59), "59 s");
  EXPECT_EQ(ShowDuration(720), "12 min");
  EXPECT_EQ(ShowDuration(26 * 3600 + 300), "26 h 5 min");
  EXPECT_EQ(ShowDuration(3 * kDay + 7200), "3 days 2 h");
}

}  // namespace
}  // namespace warplings
