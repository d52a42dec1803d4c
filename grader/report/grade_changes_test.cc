// SPDX-License-Identifier: Apache-2.0
#include "grader/report/grade_changes.h"

#include <gtest/gtest.h>

#include "tests/support/made_up_class.h"

namespace warplings {
namespace {

using report_test::MadeUpClass;

TEST(GradeChanges, TheSameClassChangesNothing) {
  const ClassChange change = CompareGrades(MadeUpClass(), MadeUpClass());
  EXPECT_FALSE(change.any());
  EXPECT_EQ(ClassChangeText(change), "Nothing would change.\n");
}

TEST(GradeChanges, PointsAndVerdictsOfEachExerciseAndTheSums) {
  const ClassGrades before = MadeUpClass();
  ClassGrades after = before;
  GradeCell& cell = after.students[0].cells[0];
  cell.points = cell.automatic = after.students[0].points = 10;
  cell.passed = true;
  const ClassChange change = CompareGrades(before, after);
  ASSERT_EQ(change.students.size(), 1u);
  ASSERT_EQ(change.students[0].cells.size(), 1u);
  EXPECT_EQ(change.students[0].cells[0].exercise, "01_first/scale");
  EXPECT_EQ(change.students[0].cells[0].before.verdict, "crashed");
  EXPECT_EQ(ClassChangeText(change),
            "=cmd|'/c calc'!A1: 2.5 -> 10 points\n"
            "  01_first/scale  2.5 -> 10  crashed -> passed\n"
            "\n"
            "1 grade of 1 student would change\n"
            "  students             4\n"
            "  total points         2.5 -> 10\n"
            "  mean                 0.63 -> 2.5\n"
            "  maximum per student  20\n");
}

TEST(GradeChanges, AVerdictThatChangesWithoutPointsIsTold) {
  const ClassGrades before = MadeUpClass();
  ClassGrades after = before;
  after.texts[0].result.verdict = Verdict::kTimeLimit;
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("2.5 points as before"), std::string::npos) << text;
  EXPECT_NE(text.find("crashed -> time limit"), std::string::npos) << text;
}

TEST(GradeChanges, ADecisionThatStaysOverAnotherGradeIsTold) {
  ClassGrades before = MadeUpClass();
  GradeCell& decided = before.students[0].cells[0];
  decided.points = before.students[0].points = 7;
  decided.changes = {{PointChange::Kind::kOverride, 4.5, "shown", "Grace", ""}};
  ClassGrades after = before;
  after.students[0].cells[0].automatic = 10;
  after.students[0].cells[0].changes[0].delta = -3;
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("7 (from the grader: 2.5 -> 10)"), std::string::npos) << text;
  EXPECT_NE(text.find("-3 points: shown (Grace)"), std::string::npos) << text;
}

TEST(GradeChanges, PointsByHandAreExplainedAsInTheTable) {
  const ClassGrades before = MadeUpClass();
  ClassGrades after = before;
  GradeCell& decided = after.students[0].cells[0];
  after.exercises[0].rubric = {{"1", "style", -1.5, "Grace", ""}};
  decided.marks = {"1"};
  decided.points = after.students[0].points = 0.5;
  decided.changes = {{PointChange::Kind::kRubric, -1.5, "style (-1.5)", "Grace", ""},
                     {PointChange::Kind::kOverride, -0.5, "oral", "Grace", ""}};
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("-2 points: oral (Grace)"), std::string::npos) << text;
  EXPECT_EQ(text.find("style"), std::string::npos) << "it has no effect";
}

TEST(GradeChanges, FreeLateDaysThatComeBackAreAChange) {
  ClassGrades before = MadeUpClass();
  for (StudentGrades& each : before.students) each.late_days = LateDays{.before = 0, .used = 0, .left = 2};
  before.students[0].late_days = LateDays{.before = 0, .used = 1, .left = 1};
  ClassGrades after = before;
  EXPECT_FALSE(CompareGrades(before, after).any());
  after.students[0].late_days = LateDays{.before = 0, .used = 0, .left = 2};
  const ClassChange change = CompareGrades(before, after);
  EXPECT_TRUE(change.any());
  const std::string text = ClassChangeText(change);
  EXPECT_TRUE(
      text.starts_with("=cmd|'/c calc'!A1: 2.5 points as before\n"
                       "  free late days: 1 -> 0 used, 1 -> 2 left\n"
                       "\n"
                       "the free late days of 1 student would change\n"
                       "  students"))
      << text;
  for (StudentGrades& each : before.students) each.late_days.reset();
  after.students[0].late_days = LateDays{.before = 0, .used = 0, .left = 3};
  EXPECT_FALSE(CompareGrades(before, after).any())
      << "a course that has late days from now on, and nobody used one";
}

TEST(GradeChanges, WhoIsNewAndWhoIsGone) {
  ClassGrades before = MadeUpClass(), after = before;
  before.students[1].name = "Ada";
  after.students[1].name = "Grace";
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("Ada: no longer in the class, had 0 points"), std::string::npos) << text;
  EXPECT_NE(text.find("Grace: new, 0 points"), std::string::npos) << text;
}

/// The entry was there before, and nobody's: the class has one more student.
TEST(GradeChanges, WhoWasNobodysAndIsInTheRosterNowIsNew) {
  const ClassGrades after = MadeUpClass();
  ClassGrades before = after;
  before.students[0].unmatched = "is not in the roster";
  before.students[0].handed_in_as = after.students[0].handed_in_as;
  const ClassChange change = CompareGrades(before, after);
  ASSERT_EQ(change.students.size(), 1u);
  EXPECT_EQ(change.students[0].kind, StudentChange::Kind::kNew);
  EXPECT_EQ(change.students[0].after, 2.5);
}

/// The roster has a number more, so that an entry that fitted two is one's.
TEST(GradeChanges, WhatWasNobodysAndIsAStudentsNowIsAssigned) {
  ClassGrades before = MadeUpClass(), after = before;
  after.students.resize(2);
  after.students[0].roster.id = before.students[0].roster.id = "1";
  after.students[1].roster.id = before.students[1].roster.id = "2";
  before.students[0].handed_in_as = "";
  after.students[0].handed_in_as = "max_7";
  before.students[3].name = "max";
  before.students[3].handed_in_as = "max_7";
  before.students[3].unmatched = "fits 2 students";
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("max: now assigned to =cmd|'/c calc'!A1; had "), std::string::npos) << text;
  EXPECT_EQ(text.find("max: no longer"), std::string::npos) << text;
}

TEST(GradeChanges, AnExerciseThatIsNoLongerAskedFor) {
  const ClassGrades before = MadeUpClass();
  ClassGrades after = before;
  after.exercises.erase(after.exercises.begin());
  for (StudentGrades& student : after.students) student.cells.erase(student.cells.begin());
  after.students[0].points = 0;
  after.students[3].complete = true;
  after.max_points = 10;
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("2.5 -> ?  crashed -> not asked for"), std::string::npos) << text;
  EXPECT_NE(text.find("-1+1: ? -> 0 points"), std::string::npos) << text;
  EXPECT_NE(text.find("20 -> 10"), std::string::npos) << text;
}

TEST(GradeChanges, ExercisesAreInTheWorkbooksOrder) {
  ClassGrades before = MadeUpClass();
  before.exercises[0].chapter = before.exercises[1].chapter = "01_first";
  before.exercises[0].id = "zeta";
  before.exercises[1].id = "alpha";
  ClassGrades after = before;
  for (GradeCell& cell : after.students[0].cells) cell.automatic = cell.points = 1;
  const ClassChange change = CompareGrades(before, after);
  ASSERT_EQ(change.students.size(), 1u);
  ASSERT_EQ(change.students[0].cells.size(), 2u);
  EXPECT_EQ(change.students[0].cells[0].exercise, "01_first/zeta");
  EXPECT_EQ(change.students[0].cells[1].exercise, "01_first/alpha");
}

TEST(GradeChanges, MoreOrFewerPointsForAllIsAChange) {
  ClassGrades after = MadeUpClass();
  after.max_points = 40;
  EXPECT_TRUE(CompareGrades(MadeUpClass(), after).any());
}

/// The student's points are counted no more, though nothing of the work is another.
TEST(GradeChanges, WhoIsNoLongerInTheRosterIsTold) {
  const ClassGrades before = MadeUpClass();
  ClassGrades after = before;
  after.students[0].unmatched = "is not in the roster";
  const ClassChange change = CompareGrades(before, after);
  EXPECT_TRUE(change.any());
  const std::string text = ClassChangeText(change);
  EXPECT_NE(
      text.find("=cmd|'/c calc'!A1: no longer counted: this entry is not in the roster; had 2.5 points\n"
                "\n1 student would no longer be counted\n"
                "  students             4 -> 3\n"),
      std::string::npos)
      << text;
}

/// With an id the student is another one than the entry; both are one person all the same.
TEST(GradeChanges, WhoHasLeftTheRosterIsToldOnce) {
  ClassGrades before = MadeUpClass();
  before.students[0].roster.id = "1";
  before.students[0].name = "Lovelace, Ada";
  before.students[0].handed_in_as = "lovelaceada_7";
  ClassGrades after = before;
  after.students[0].roster = {};
  after.students[0].name = "lovelaceada";
  after.students[0].unmatched = "is not in the roster";
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_TRUE(
      text.starts_with("Lovelace, Ada: no longer counted: this entry is not in the roster; had 2.5 points\n"
                       "\n1 student would no longer be counted\n"))
      << text;
}

/// A roster may have lost its names: then logins take their place.
TEST(GradeChanges, AnotherNameOfTheSameStudentIsTold) {
  ClassGrades before = MadeUpClass();
  before.students[0].roster.login = "ada";
  before.students[0].name = "Ada Lovelace (2)";
  ClassGrades after = before;
  after.students[0].name = "Ada Lovelace";
  EXPECT_FALSE(CompareGrades(before, after).any()) << "the number is ours";
  after.students[0].name = "ada";
  const std::string text = ClassChangeText(CompareGrades(before, after));
  EXPECT_NE(text.find("ada: was called Ada Lovelace (2); 2.5 points as before\n\n"
                      "the name of 1 student would change\n  students"),
            std::string::npos)
      << text;
}

TEST(GradeChanges, OfANewOutAllStudentsAreNew) {
  const std::string text = ClassChangeText(CompareGrades(ClassGrades{}, MadeUpClass()));
  EXPECT_NE(text.find("\n\n4 students would be new\n  students             0 -> 4\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("would change"), std::string::npos) << text;
}

}  // namespace
}  // namespace warplings
