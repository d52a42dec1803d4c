// SPDX-License-Identifier: Apache-2.0
#include "grader/report/grades_csv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "tests/support/made_up_class.h"

namespace warplings {
namespace {

TEST(GradesCsv, ALineForEachStudent) {
  const std::string exercises = "\"01_first/scale\",\"01_first/tile\"";
  const std::string header =
      "\"Student\",\"Points\",\"Max points\"," + exercises +
      ",\"Missing\",\"Unusable\",\"Not graded\",\"Remarks\",\"ID\",\"Login\",\"E-mail\",\"Section\","
      "\"Automatic points\",\"Changes\",\"Comments\",\"01_first/scale automatic\",\"01_first/tile "
      "automatic\","
      "\"01_first/scale max\",\"01_first/tile max\"\r\n";
  const std::string nobody = ",\"\",\"\",\"\",\"\"";
  const std::string expected =
      header + "\"'=cmd|'/c calc'!A1\",2.5,20,2.5,,1,0,0,\"\"" + nobody + ",2.5,\"\",\"\",2.5,,10,10\r\n" +
      "\"<script>alert(1)</script>\",0,20,,,2,0,0,\"\"" + nobody + ",0,\"\",\"\",,,10,10\r\n" +
      "\"陳 \"\"大文\"\"\",0,20,,,1,1,0,\"'@remark, with a comma; second\nline\"" + nobody +
      ",0,\"\",\"\",,,10,10\r\n" + "\"'-1+1\",\"not graded\",20,\"not graded\",,1,0,1,\"\"" + nobody +
      ",\"not graded\",\"\",\"\",,,10,10\r\n";
  EXPECT_EQ(GradesCsv(report_test::MadeUpClass()), expected);
}

TEST(GradesCsv, AChangeOfNothingHasNoNumber) {
  EXPECT_EQ(ChangeText({PointChange::Kind::kLate, 0, "uses 1 free late day", "", ""}),
            "uses 1 free late day");
  EXPECT_EQ(ChangeText({PointChange::Kind::kOverride, 2, "shown", "Grace", ""}), "+2 points: shown (Grace)");
}

TEST(GradesCsv, AnItemSaysThatItChangedNothing) {
  ClassGrades grades = report_test::MadeUpClass();
  ClassExercise& exercise = grades.exercises[0];
  GradeCell& cell = grades.students[0].cells[0];
  exercise.rubric = {{"1", "Idea", -2, "", ""}, {"2", "Style", 2, "", ""}, {"3", "Seen", 0, "", ""}};
  const PointChange took{PointChange::Kind::kRubric, -2, "Idea (-2)", "Grace", ""},
      by_hand{PointChange::Kind::kOverride, 3, "shown", "Grace", ""};
  cell.marks = {"1", "3"};
  EXPECT_EQ(Joined(ItemTexts(exercise, cell), "\n"), "Idea (-2, no effect)\nSeen (+0)")
      << "no points to take";
  cell.changes = {took};
  EXPECT_EQ(Joined(ItemTexts(exercise, cell), "\n"), "Idea (-2)\nSeen (+0)");
  cell.changes = {took, by_hand};
  EXPECT_EQ(Joined(ItemTexts(exercise, cell), "\n"), "Idea (-2, no effect)\nSeen (+0)");
  cell.marks = {"1", "2"};
  cell.changes.clear();
  EXPECT_EQ(Joined(ItemTexts(exercise, cell), "\n"), "Idea (-2)\nStyle (+2)") << "they cancel each other out";
}

/// As on the student's page: the tests' 2.5, and 4.5 more, of which an item is no part.
TEST(GradesCsv, PointsThatSomebodySetReplaceTheRubrics) {
  ClassGrades grades = report_test::MadeUpClass();
  ClassExercise& exercise = grades.exercises[0];
  GradeCell& cell = grades.students[0].cells[0];
  exercise.rubric = {{"1", "Idea", 0.5, "", ""}};
  cell.marks = {"1"};
  const PointChange late{PointChange::Kind::kLate, -1, "1 day late", "", ""},
      item{PointChange::Kind::kRubric, 0.5, "Idea (+0.5)", "Grace", ""},
      by_hand{PointChange::Kind::kOverride, 4, "shown", "Grace", ""};
  const auto changes = [&] {
    std::vector<std::string> texts;
    for (const PointChange& each : EffectiveChanges(exercise, cell)) texts.push_back(ChangeText(each));
    return Joined(texts, "\n");
  };
  cell.changes = {late, item};
  EXPECT_EQ(changes(), "-1 points: 1 day late\n+0.5 points: Idea (+0.5) (Grace)");
  cell.changes = {late, item, by_hand};
  EXPECT_EQ(changes(), "-1 points: 1 day late\n+4.5 points: shown (Grace)");
  const auto table = ParseCsv(GradesCsv(grades));
  ASSERT_TRUE(table.ok());
  const auto& header = table->rows[0];
  EXPECT_EQ(table->rows[1][static_cast<std::size_t>(std::ranges::find(header, "Changes") - header.begin())],
            "01_first/scale: -1 points: 1 day late; 01_first/scale: +4.5 points: shown (Grace); "
            "01_first/scale: Idea (+0.5, no effect)");
}

TEST(GradesCsv, AnExcludedTestIsNamedWhereItChangedNothing) {
  ClassGrades grades = report_test::MadeUpClass();
  ClassExercise& exercise = grades.exercises[0];
  GradeCell& cell = grades.students[0].cells[0];
  const std::string test = grades.texts[0].result.tests.front().name;
  exercise.excluded = {{test, "the suite was wrong", "Grace", ""}, {"Scale.Nowhere", "x", "Grace", ""}};
  const std::string said = Joined(ExcludedWithoutEffect(grades, exercise, cell), "\n");
  EXPECT_TRUE(said.starts_with("the test '")) << said;
  EXPECT_TRUE(said.ends_with("' counts for nobody (no effect): the suite was wrong")) << said;
  EXPECT_EQ(Joined(ExcludedWithoutEffect(grades, exercise, grades.students[1].cells[0]), "\n"), "")
      << "no file";
  cell.changes = {{PointChange::Kind::kExcludedTest, 1, "it counts for nobody", "Grace", ""}};
  EXPECT_EQ(Joined(ExcludedWithoutEffect(grades, exercise, cell), "\n"), "") << "the change says so";
}

TEST(GradesCsv, ShowsFinalAndAutomaticPointsAndWhy) {
  ClassGrades grades = report_test::MadeUpClass();
  StudentGrades& student = grades.students[0];
  student.cells[0].points = student.points = 7;
  student.cells[0].changes = {{PointChange::Kind::kOverride, 4.5, "shown to me", "Grace", ""}};
  student.cells[0].comments = {{"Scale.One", "see page 3", "Grace", ""}};
  student.roster.id = "=1";
  const auto table = ParseCsv(GradesCsv(grades));
  ASSERT_TRUE(table.ok());
  const auto field = [&](const std::string& name) {
    const auto& header = table->rows[0];
    return table->rows[1][static_cast<std::size_t>(std::ranges::find(header, name) - header.begin())];
  };
  EXPECT_EQ(field("Points"), "7");
  EXPECT_EQ(field("Automatic points"), "2.5");
  EXPECT_EQ(field("01_first/scale"), "7");
  EXPECT_EQ(field("01_first/scale automatic"), "2.5");
  EXPECT_EQ(field("01_first/scale max"), "10");
  EXPECT_EQ(field("Changes"), "01_first/scale: +4.5 points: shown to me (Grace)");
  EXPECT_EQ(field("Comments"), "01_first/scale: Scale.One: see page 3");
  EXPECT_EQ(field("ID"), "'=1");
}

}  // namespace
}  // namespace warplings
