// SPDX-License-Identifier: Apache-2.0
#include "grader/course/anonymous_course.h"

#include <gtest/gtest.h>

#include "grader/course/course_file.h"

namespace warplings {
namespace {

constexpr const char* kText = R"(# Ada has broken her arm.
[course]
title = "GPUs"
time_zone = "Europe/Berlin"
roster = "roster_of_ada.csv"
[late]
percent_per_day = 10
[[assignment]]
id = "week1"
what = ["1"]
due = 2026-10-08T23:59:00
[[assignment.extension]]
student = "ada@uni.example"  # Ada
due = 2026-10-10
reason = "Ada's arm"
[[assignment.extension]]
student = "Nobody Here"
days = 2
[[assignment]]
id = "week2"
what = ["2"]
[[assignment.extension]]
student = "Nobody Here"
no_deduction = true
)";

TEST(AnonymousCourse, SaysTheSameWithoutNames) {
  const auto anonymous =
      AnonymousCourse(kText, "course.toml", [](const std::string& student) -> std::optional<std::string> {
        if (student == "ada@uni.example") return "student-x";
        return std::nullopt;
      });
  ASSERT_TRUE(anonymous.ok()) << anonymous.error().message;
  for (const char* name : {"Ada", "ada", "arm", "Nobody"}) {
    EXPECT_EQ(anonymous->find(name), std::string::npos) << *anonymous;
  }
  const auto before = ParseCourse(kText, "course.toml"), after = ParseCourse(*anonymous, "course.toml");
  ASSERT_TRUE(before.ok() && after.ok()) << *anonymous;
  EXPECT_EQ(after->time_zone, "Europe/Berlin");
  EXPECT_EQ(after->roster_file, "");
  ASSERT_EQ(after->assignments.size(), 2u);
  EXPECT_EQ(after->assignments[0].due, before->assignments[0].due);
  EXPECT_EQ(after->assignments[0].late.percent_per_day, 10);
  ASSERT_EQ(after->assignments[0].extensions.size(), 1u);
  EXPECT_EQ(after->assignments[0].extensions[0].student, "student-x");
  EXPECT_EQ(after->assignments[0].extensions[0].due, before->assignments[0].extensions[0].due);
  EXPECT_TRUE(after->assignments[1].extensions.empty());
}

TEST(AnonymousCourse, WhatIsNoTomlIsAnError) {
  const auto keep = [](const std::string& student) { return std::optional(student); };
  EXPECT_FALSE(AnonymousCourse("[course", "course.toml", keep).ok());
}

}  // namespace
}  // namespace warplings
