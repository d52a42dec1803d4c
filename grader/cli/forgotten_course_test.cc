// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/forgotten_course.h"

#include <gtest/gtest.h>

#include "grader/messages/teaching_commands.h"

namespace warplings {
namespace {

TEST(ForgottenCourse, EntriesAreCountedByWhetherTheyHaveFiles) {
  const auto row = [](std::string name, std::string unmatched) {
    StudentRow student{std::move(name), "", {}};
    student.unmatched = std::move(unmatched);
    return student;
  };
  const auto submission = [](std::string student, SubmissionRow::State state) {
    SubmissionRow each;
    each.student = std::move(student);
    each.state = state;
    return each;
  };
  using State = SubmissionRow::State;
  const EntriesByRoster count = CountByRoster(
      {row("Ada", ""), row("Bob", ""), row("Eve", "is not in the roster"),
       row("Tom", "is not in the roster")},
      {submission("Ada", State::kFound), submission("Ada", State::kFound), submission("Bob", State::kMissing),
       submission("Eve", State::kUnusable), submission("Tom", State::kMissing)});
  EXPECT_EQ(count.of_students, 1u);
  EXPECT_EQ(count.of_nobody, 1u);
}

TEST(ForgottenCourse, ARosterThatLosesHalfOfTheClassHasToBeConfirmed) {
  const TypedGrading typed{"class", "out", "course.toml", "", "week1", {"--seed", "7"}};
  const auto check = [&](EntriesByRoster former, EntriesByRoster now) {
    return CheckFormerRoster(former, now, "roster.csv", typed);
  };
  const Status lost = check({20, 0}, {1, 19});
  ASSERT_FALSE(lost);
  EXPECT_EQ(
      English(lost.error().message),
      "19 of 20 entries in class belong to no student of roster.csv; at the last grading of out it was 0. "
      "Nothing was graded");
  EXPECT_NE(English(lost.error().next_step)
                .find("warplings grade class --course course.toml --assignment week1 --out out --seed 7 "
                      "--new-roster"),
            std::string::npos);
  EXPECT_FALSE(check({6, 2}, {3, 5}));
  EXPECT_TRUE(check({0, 0}, {1, 19})) << "nothing was graded before";
  EXPECT_TRUE(check({20, 0}, {11, 9})) << "some have left";
  EXPECT_TRUE(check({4, 0}, {2, 2})) << "in a small class two may leave";
  EXPECT_TRUE(check({20, 0}, {2, 0})) << "an incomplete download, which is told otherwise";
  EXPECT_TRUE(check({4, 0}, {4, 9})) << "newcomers";
  EXPECT_TRUE(check({1, 19}, {20, 0})) << "the right roster is back";
}

}  // namespace
}  // namespace warplings
