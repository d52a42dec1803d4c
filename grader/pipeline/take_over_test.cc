// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/take_over.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using State = GradeCell::State;

/// One exercise of 10 points, which Ada and Bob handed in.
ClassGrades Grades(const std::string& ada, const std::string& bob) {
  ClassGrades grades;
  ClassExercise exercise;
  exercise.chapter = "01_first";
  exercise.id = "scale";
  exercise.max_points = 10;
  exercise.tests = {{"Scale.Any", "any", 1, 1}};
  grades.exercises = {exercise};
  for (const std::string& name : {ada, bob}) {
    StudentGrades student;
    student.name = name;
    GradeCell cell;
    cell.state = State::kGraded;
    cell.points = 4;
    cell.hash = "hash of " + std::string(name == ada ? "Ada's" : "Bob's");
    student.cells = {cell};
    grades.students.push_back(student);
  }
  return grades;
}

Decision About(Decision::Kind kind, const std::string& student, const std::string& test = "") {
  Decision decision{
      .kind = kind, .student = student, .chapter = "01_first", .exercise = "scale", .test = test};
  decision.text = "because";
  decision.author = "Maria";
  decision.when = "2026-10-01T12:00:00Z";
  if (!student.empty()) decision.who = "name " + student;
  return decision;
}

class TakeOverTest : public testing::Test {
 protected:
  TakeOverTest() {
    blind_.folder = "blind";
    blind_.grades = Grades("student-a", "student-b");
    named_ = Grades("Ada", "Bob");
    named_.students[0].roster.id = "17";
    StudentRow ada{"Ada Lovelace", "ada.zip", {}}, bob{"Bob", "Bob", {}};
    ada.roster.id = "17";
    blind_.pseudonyms = {{ada, "student-a"}, {bob, "student-b"}};
  }

  TakenOver Taken() const {
    auto taken = TakeOver(blind_, {"out", named_, decisions_, trail_}, "grace");
    EXPECT_TRUE(taken.ok()) << English(taken.error().message);
    return taken ? *std::move(taken) : TakenOver{};
  }
  std::string WhyLeftOut() const {
    const TakenOver taken = Taken();
    EXPECT_EQ(taken.changes.size(), 0u);
    return taken.left_out.size() == 1 ? English(taken.left_out[0].why)
                                      : std::to_string(taken.left_out.size());
  }
  /// The decisions are those of the named class from now on.
  void Store(const TakenOver& taken) {
    for (const DecisionChange& each : taken.changes) {
      const Decision& made = each.decision;
      decisions_.push_back(made);
      trail_.push_back({1, "", made.author, each.action, made.kind, made.student, made.chapter, made.exercise,
                        made.test, each.before, each.after, each.reason, made.who});
    }
  }

  BlindClass blind_;
  ClassGrades named_;
  std::vector<Decision> decisions_;
  std::vector<AuditEntry> trail_;
};

TEST_F(TakeOverTest, WhatWasDecidedAboutAPseudonymIsDecidedAboutTheStudent) {
  Decision points = About(Decision::Kind::kPoints, "student-a");
  points.points = 7;
  blind_.decisions = {points, About(Decision::Kind::kLine, "student-b", "3"),
                      About(Decision::Kind::kExclusion, "", "Scale.Any")};
  const TakenOver taken = Taken();
  ASSERT_EQ(taken.changes.size(), 3u);
  EXPECT_TRUE(taken.left_out.empty());
  const DecisionChange& first = taken.changes[0];
  EXPECT_EQ(first.decision.student, "Ada");
  EXPECT_EQ(first.decision.who, "id 17");
  EXPECT_EQ(first.decision.points, 7);
  EXPECT_EQ(first.decision.author, "Maria");
  EXPECT_EQ(first.before, "4 points");
  EXPECT_EQ(first.after, "7 points");
  EXPECT_EQ(first.action, "taken over");
  EXPECT_EQ(
      first.reason,
      "taken over by grace from blind (student-a), where it was decided at 2026-10-01T12:00:00Z: because");
  EXPECT_EQ(taken.changes[1].decision.who, "name Bob");
  EXPECT_EQ(taken.changes[1].decision.test, "3");
  EXPECT_EQ(taken.changes[2].decision.who, "") << "a test is excluded for the whole class";
}

TEST_F(TakeOverTest, AnotherTextIsLeftOut) {
  blind_.decisions = {About(Decision::Kind::kComment, "student-a")};
  named_.students[0].cells[0].hash = "of another attempt";
  EXPECT_EQ(WhyLeftOut(), "another file is graded in out");
  named_.students[0].cells[0].hash = blind_.grades.students[0].cells[0].hash;
  named_.students[0].cells[0].state = blind_.grades.students[0].cells[0].state = State::kUnusable;
  EXPECT_EQ(WhyLeftOut(), "another file is graded in out");
  named_.students[0].cells[0].state = blind_.grades.students[0].cells[0].state = State::kMissing;
  EXPECT_EQ(Taken().changes.size(), 1u) << "nothing was handed in, in both";
}

TEST_F(TakeOverTest, ACommentOnAllOfTheWorkNeedsAllOfItToBeTheSame) {
  Decision comment = About(Decision::Kind::kComment, "student-a");
  comment.chapter = comment.exercise = "";
  blind_.decisions = {comment};
  EXPECT_EQ(Taken().changes.size(), 1u);
  named_.students[0].cells[0].hash = "of another attempt";
  EXPECT_EQ(WhyLeftOut(), "another file is graded in out");
}

TEST_F(TakeOverTest, WhatTheNamedClassLacksIsLeftOut) {
  blind_.decisions = {About(Decision::Kind::kExclusion, "", "Scale.Gone")};
  EXPECT_EQ(WhyLeftOut(), "out has no such test");
  blind_.decisions = {About(Decision::Kind::kPoints, "student-b")};
  named_.exercises[0].max_points = 5;
  EXPECT_EQ(WhyLeftOut(), "the exercise is worth 10 points in blind and 5 in out");
  named_.exercises[0].id = "other";
  EXPECT_EQ(WhyLeftOut(), "out does not grade this exercise");
  named_.students.pop_back();
  EXPECT_EQ(WhyLeftOut(), "out has no such student");
}

TEST_F(TakeOverTest, WhatSomebodyDecidedThereStays) {
  Decision points = About(Decision::Kind::kPoints, "student-a"), theirs = points;
  points.points = 7;
  theirs.points = 3;
  theirs.author = "Zoe";
  theirs.student = "Ada";
  theirs.who = "id 17";
  blind_.decisions = {points};
  decisions_ = {theirs};
  EXPECT_EQ(WhyLeftOut(), "out has another decision about this, by Zoe: 3 points");
}

TEST_F(TakeOverTest, TakenOverAgainItIsKnownOrReplacesWhatWasTakenOver) {
  blind_.decisions = {About(Decision::Kind::kPoints, "student-a")};
  Store(Taken());
  EXPECT_EQ(Taken().known, 1u);
  EXPECT_TRUE(Taken().changes.empty());
  blind_.decisions[0].points = 9;
  ASSERT_EQ(Taken().changes.size(), 1u);
  EXPECT_EQ(Taken().changes[0].before, "4 points");
  trail_.push_back(trail_.back());
  trail_.back().action = "set";
  EXPECT_EQ(WhyLeftOut(), "out has another decision about this, by Maria: 0 points")
      << "changed by hand since";
}

TEST_F(TakeOverTest, WhatWasTakenBackThereDoesNotComeBack) {
  blind_.decisions = {About(Decision::Kind::kComment, "student-a")};
  Store(Taken());
  decisions_.clear();
  trail_.push_back(trail_.back());
  trail_.back().action = "removed";
  EXPECT_EQ(WhyLeftOut(), "it was taken back in out");
}

TEST_F(TakeOverTest, AMarkNeedsItsItem) {
  Decision item = About(Decision::Kind::kItem, "", "1");
  item.text = "explains the guard";
  item.points = 2;
  blind_.decisions = {About(Decision::Kind::kMark, "student-a", "1"), item};
  const TakenOver taken = Taken();
  ASSERT_EQ(taken.changes.size(), 2u);
  EXPECT_EQ(taken.changes[0].decision.kind, Decision::Kind::kItem) << "the item comes first";
  Decision other = item;
  other.text = "no names";
  decisions_ = {other};
  const TakenOver left = Taken();
  EXPECT_TRUE(left.changes.empty());
  ASSERT_EQ(left.left_out.size(), 2u);
  EXPECT_EQ(English(left.left_out[0].why),
            "out has another decision about this, by Maria: no names (+2 points)");
  EXPECT_EQ(English(left.left_out[1].why), "its item of the rubric is not taken over");
}

TEST_F(TakeOverTest, AKeyOfOthersIsWrongUsage) {
  for (Pseudonym& each : blind_.pseudonyms) each.name += "x";
  const auto taken = TakeOver(blind_, {"out", named_, decisions_, trail_}, "grace");
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().blame, Blame::kUsage);
}

}  // namespace
}  // namespace warplings
