// SPDX-License-Identifier: Apache-2.0
#include "grader/course/load_course.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "grader/core/layout.h"

namespace warplings {
namespace {

class LoadCourseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-course-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string Fault() const {
    const auto loaded = LoadCourse(folder_ / "course.toml");
    return loaded ? "no fault" : English(loaded.error().message);
  }
  std::string Advice() const {
    const auto loaded = LoadCourse(folder_ / "course.toml");
    return loaded ? "none" : English(loaded.error().next_step);
  }

  std::filesystem::path folder_;
};

constexpr const char* kCourse =
    "[course]\ntitle = \"x\"\nroster = \"roster.csv\"\n[[assignment]]\nid = \"a\"\nwhat = [\"1\"]\n"
    "due = 2026-10-08\n[[assignment.extension]]\nstudent = \"ada\"\ndays = 1\n";

TEST_F(LoadCourseTest, TheTemplateIsRightWithAndWithoutItsComments) {
  const auto course = ParseCourse(CourseTemplate(), "course.toml");
  ASSERT_TRUE(course.ok()) << course.error().message;
  EXPECT_EQ(course->assignments.size(), 2u);
  // Each key that a comment offers exists: "# key = …" and "# [[table]]" become lines of the file.
  std::string all;
  std::istringstream lines(CourseTemplate());
  for (std::string line; std::getline(lines, line);) {
    const bool offered =
        line.starts_with("# ") && (line.find(" = ") != line.npos || line[2] == '[' || line[4] == '[');
    all += (offered ? line.substr(2) : line) + "\n";
  }
  const auto everything = ParseCourse(all, "course.toml");
  ASSERT_TRUE(everything.ok()) << everything.error().message << "\n" << all;
  EXPECT_EQ(everything->assignments[0].extensions.size(), 1u);
  EXPECT_EQ(everything->assignments[0].exercises[0].scoring->groups.size(), 1u);
  EXPECT_EQ(everything->seed, 7u);
  EXPECT_EQ(everything->roster_file, "roster.csv");
}

TEST_F(LoadCourseTest, WhatDescribesACourseIsNamedWhereItLies) {
  const std::filesystem::path described = ThisLayout().CourseDocumentation();
  EXPECT_TRUE(std::filesystem::is_regular_file(described)) << described;
  EXPECT_NE(CourseTemplate().find("\n# " + described.string() + " describes every key.\n"),
            std::string::npos);
  const auto wrong = ParseCourse("[course]\nname = 1\n", "course.toml");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(English(wrong.error().next_step).find(described.string() + " lists"), std::string::npos);
}

TEST_F(LoadCourseTest, TheRosterLiesBesideTheCourse) {
  EXPECT_NE(Fault().find("course.toml: there is no such file"), std::string::npos) << Fault();
  Write("course.toml", kCourse);
  EXPECT_NE(Fault().find("course.roster: cannot read"), std::string::npos) << Fault();
  EXPECT_NE(Advice().find("Put the roster beside"), std::string::npos) << Advice();
  // A roster that is there need not be put there.
  std::filesystem::create_directory(folder_ / "roster.csv");
  EXPECT_NE(Advice().find("Name a CSV file that you may read"), std::string::npos) << Advice();
  std::filesystem::remove(folder_ / "roster.csv");
  Write("roster.csv", "name,login\nAda Lovelace,ada\n");
  EXPECT_EQ(Fault(), "no fault");
  const auto loaded = LoadCourse(folder_ / "course.toml");
  EXPECT_EQ(loaded->roster->students.size(), 1u);
  EXPECT_EQ(loaded->roster_file, folder_ / "roster.csv");
}

TEST_F(LoadCourseTest, AnExtensionIsSomebodys) {
  Write("course.toml", kCourse);
  Write("roster.csv", "name,login\n\"Ada\",lovelace\nAda,hopper\nEve,eve\n");
  EXPECT_NE(
      Fault().find("course.toml:9: assignment.extension.student: 'ada' fits more than one student of the "
                   "roster: Ada <lovelace>; Ada <hopper>"),
      std::string::npos)
      << Fault();
  EXPECT_EQ(Advice(), "Write the id, login or e-mail address.");
  Write("roster.csv", "name,login\nAda Lovelace,adal\n");
  EXPECT_NE(
      Fault().find(
          "course.toml:9: assignment.extension.student: 'ada' is not in the roster; did you mean adal?"),
      std::string::npos)
      << Fault();
  // The cause may be a column that is not read.
  Write("roster.csv", "name,emial\nLovelace,ada\n");
  EXPECT_NE(Fault().find("'ada' is not in the roster"), std::string::npos) << Fault();
  EXPECT_EQ(Advice(), "The column 'emial' looks like email: rename it.");
  Write("roster.csv", "name,emial,Kennung\nLovelace,x@y,ada\n");
  EXPECT_EQ(Advice(),
            "The column 'emial' looks like email: rename it. Columns that are not read: emial, Kennung.");
  Write("roster.csv", "name,Kennung\nLovelace,ada\n");
  EXPECT_EQ(
      Advice(),
      "Write the name, id, login or e-mail address as in the roster. If this student has left the course, "
      "delete the extension. Columns that are not read: Kennung.");
}

TEST_F(LoadCourseTest, ALoginIsOfferedAlthoughAnAddressBeginsWithIt) {
  Write("course.toml", kCourse);
  Write("roster.csv",
        "name,id,login,email\nAda Lovelace,1,adaa,adaa@uni.example\nBob,2,bob,bob@uni.example\n");
  EXPECT_NE(Fault().find("'ada' is not in the roster; did you mean adaa?"), std::string::npos) << Fault();
}

}  // namespace
}  // namespace warplings
