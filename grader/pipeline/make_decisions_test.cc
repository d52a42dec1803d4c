// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/make_decisions.h"

#include <gtest/gtest.h>

#include <set>

#include "grader/base/catalogue.h"
#include "grader/core/student_identity.h"
#include "grader/course/roster.h"

namespace warplings {
namespace {

/// A graded class of this roster; as in every graded class, names differ by a number.
ClassGrades ClassOf(const char* text) {
  const auto roster = ParseRoster(text, "roster.csv");
  EXPECT_TRUE(roster.ok());
  ClassGrades grades;
  std::set<std::string> names;
  for (const RosterStudent& each : roster->students) {
    StudentGrades student;
    student.name = names.insert(each.name).second ? each.name : each.name + " (2)";
    student.roster = each.fields;
    grades.students.push_back(std::move(student));
  }
  return grades;
}

/// Whom a comment for `student` is about: the key, or what the refusal says.
std::string Meant(const ClassGrades& grades, const std::string& student) {
  DecisionRequest request;
  request.action = DecisionRequest::Action::kComment;
  request.student = student;
  request.text = "Well done.";
  const auto change = DecisionMaker({}, grades, {}).Make(request);
  if (!change) return English(change.error().message) + " " + English(change.error().next_step);
  return change->decision.who;
}

constexpr const char* kRosters[] = {
    // Canvas, Moodle, Gradescope.
    "Student,ID,SIS User ID,SIS Login ID,Section\n\"Müller, Anna\",9,103,amueller,A\n"
    "\"Müller, Max\",7,101,m1,A\n\"Müller, Max\",8,102,m2,A\n",
    "First name,Last name,ID number,Email address\nAnna,Müller,103,a@x\nMax,Müller,101,m1@x\n"
    "Max,Müller,102,m2@x\n",
    "First Name,Last Name,SID,Email,Role,Sections\nAnna,Müller,103,a@x,Student,A\n"
    "Max,Müller,101,m1@x,Student,A\nMax,Müller,102,m2@x,Student,A\n"};

TEST(MakeDecisions, WhatWasDecidedOfSomebodyWhoHasLeftCanBeWithdrawn) {
  const ClassGrades grades = ClassOf(kRosters[0]);
  Decision left;
  left.kind = Decision::Kind::kComment;
  left.student = "annamueller";
  left.text = "Come and see me.";
  Decision own = left;
  own.who = "id 103";
  DecisionRequest request;
  request.action = DecisionRequest::Action::kComment;
  request.student = "annamueller";
  request.text = "clean";
  request.removes = true;
  const auto change = DecisionMaker({}, grades, {left, own}).Make(request);
  ASSERT_TRUE(change.ok());
  EXPECT_TRUE(change->removes);
  EXPECT_EQ(change->decision.who, "") << "and not what was decided of the student who has that name now";
  request.student = "Anna Müller";
  const auto here = DecisionMaker({}, grades, {left, own}).Make(request);
  ASSERT_TRUE(here.ok());
  EXPECT_EQ(here->decision.who, "id 103");
}

TEST(MakeDecisions, EverySpellingOfANameThatTwoShareIsRefused) {
  for (const char* roster : kRosters) {
    const ClassGrades grades = ClassOf(roster);
    const std::string first = grades.students[1].name;
    for (const std::string& written :
         {first, std::string("Max Müller"), std::string("Müller, Max"), std::string("Müller Max"),
          std::string("max müller"), std::string("MÜLLER, MAX"), std::string("Max  Müller"),
          std::string(" Max\u00a0Müller "), std::string("Max Mu\u0308ller"), std::string("maxmüller"),
          std::string("Max Muller"), std::string("Mueller, Max"), std::string("MAX MUELLER")}) {
      const std::string meant = Meant(grades, written);
      EXPECT_NE(meant.find("' matches more than one: " + first + " <"), meant.npos)
          << written << ": " << meant;
      EXPECT_NE(meant.find("; " + first + " (2) <"), meant.npos) << written << ": " << meant;
      EXPECT_TRUE(meant.ends_with("Write the ID, login or e-mail.")) << written << ": " << meant;
      const auto read =
          DecisionMaker({}, grades, {})
              .MakeAll("Student,Exercise,Comment\n\"" + written + "\",,Hm\n", "o.csv", "", false);
      ASSERT_FALSE(read.ok()) << written;
      EXPECT_NE(English(read.error().message).find("line 2: '"), std::string::npos) << written;
    }
    EXPECT_EQ(Meant(grades, "101"), "id 101");
    EXPECT_EQ(Meant(grades, "102"), "id 102");
    EXPECT_EQ(Meant(grades, first + " (2)"), "id 102");
    EXPECT_EQ(Meant(grades, "Max Müller (2)"), "id 102");
    EXPECT_EQ(Meant(grades, "anna mueller"), "id 103");
  }
}

TEST(MakeDecisions, NamesThatDifferOnlyInOrderAreOneName) {
  const ClassGrades grades = ClassOf("name,id\nMax Müller,101\n\"Müller, Max\",102\n");
  for (const char* written : {"Max Müller", "Müller, Max", "müller max"}) {
    EXPECT_EQ(Meant(grades, written), "'" + std::string(written) +
                                          "' matches more than one: Max Müller <101>; Müller, Max <102> "
                                          "Write the ID, login or e-mail.");
  }
}

}  // namespace
}  // namespace warplings
