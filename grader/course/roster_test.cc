// SPDX-License-Identifier: Apache-2.0
#include "grader/course/roster.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

const std::vector<MatchField> kAll = {MatchField::kId, MatchField::kLogin, MatchField::kEmail,
                                      MatchField::kName};

Roster MakeRoster(const std::string& text) {
  const auto roster = ParseRoster(text, "roster.csv");
  EXPECT_TRUE(roster.ok()) << roster.error().message;
  return roster ? *roster : Roster{};
}

std::string MatchName(const Roster& roster, const Identity& identity) {
  const RosterMatch match = MatchStudent(roster, identity, kAll);
  return match.student ? roster.students[*match.student].name : match.problem;
}

TEST(Roster, PlainFile) {
  const Roster roster = MakeRoster("name,id,login,email,section\nAda Lovelace,17,ada,ada@uni.example,A\n");
  ASSERT_EQ(roster.students.size(), 1u);
  EXPECT_EQ(roster.students[0].name, "Ada Lovelace");
  EXPECT_EQ(roster.students[0].fields.id, "17");
  EXPECT_EQ(roster.students[0].fields.login, "ada");
  EXPECT_EQ(roster.students[0].fields.email, "ada@uni.example");
  EXPECT_EQ(roster.students[0].fields.section, "A");
  const Roster moodle =
      MakeRoster("First name,Last name,ID number,Email address,Groups\nAda,Lovelace,17,ada@x,Lab 2\n");
  EXPECT_EQ(moodle.students[0].fields.section, "Lab 2") << "as Moodle calls it";
  EXPECT_TRUE(moodle.ignored.empty());
}

TEST(Roster, WhoTeachesIsNoStudent) {
  const Roster roster = MakeRoster(
      "First Name,Last Name,SID,Email,Role\nAda,Lovelace,17,ada@x,Student\nIda,Bell,1,ida@x,Instructor\n"
      "Tom,Low,2,tom@x,TA\nGrace,Hopper,18,grace@x,\nAlan,Turing,19,alan@x,Tester\n");
  ASSERT_EQ(roster.students.size(), 3u);
  EXPECT_EQ(roster.students[1].name, "Grace Hopper") << "no role";
  EXPECT_EQ(roster.students[2].name, "Alan Turing") << "a part in a team";
  EXPECT_EQ(roster.teachers, (std::vector<std::string>{"Ida Bell (Instructor)", "Tom Low (TA)"}));
  EXPECT_TRUE(roster.ignored.empty());
  EXPECT_EQ(MakeRoster("name,roles\nAda,\"Student, Teacher\"\n").students.size(), 1u);
}

TEST(Roster, SurnameAndGivenNameMayBeOneWord) {
  const Roster roster = MakeRoster("name\n李小明\n王大文\n大明 陳\n");
  EXPECT_EQ(MatchName(roster, {.entry = "x", .name = "小明 李"}), "李小明");
  EXPECT_EQ(MatchName(roster, {.entry = "陳大明"}), "大明 陳");
  EXPECT_EQ(MatchName(roster, {.entry = "小明 王"}), "is not in the roster");
  EXPECT_EQ(MatchName(MakeRoster("name\n李小明\n小明李\n"), {.entry = "小明 李"}),
            "fits the name of 2 students of the roster: 李小明; 小明李");
  EXPECT_TRUE(IsCalled("小明 李", "李小明", {}));
}

TEST(Roster, TextThatIsNotUtf8IsRefused) {
  const auto roster = ParseRoster("name,id\nAda,1\nJ\xf6rg,2\n", "r.csv");
  ASSERT_FALSE(roster.ok());
  EXPECT_EQ(English(roster.error().message),
            "r.csv:3: the text is not UTF-8; it may be Latin-1, as older spreadsheets write it");
}

TEST(Roster, ACommaWithoutQuotesIsRefused) {
  const auto roster = ParseRoster("name,id,email\nLovelace, Ada,1,ada@x\n", "r.csv");
  ASSERT_FALSE(roster.ok());
  EXPECT_EQ(English(roster.error().message), "r.csv:2: the line has 4 fields, and the header 3");
  // A spreadsheet's empty fields at the end are none.
  EXPECT_EQ(MakeRoster("name,id\nAda,1,,\n").students.size(), 1u);
}

TEST(Roster, CanvasOwnLinesAreNoStudents) {
  const Roster roster = MakeRoster(
      "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n\"Lovelace, Ada\",101,17,ada,A\n"
      "\"Student, Test\",999,,x3f,A\n");
  ASSERT_EQ(roster.students.size(), 1u);
  EXPECT_EQ(roster.students[0].name, "Lovelace, Ada");
}

TEST(Roster, BomSemicolonsQuotesAndLineEnds) {
  const Roster roster = MakeRoster(
      "\xef\xbb\xbfName;E-Mail;Note\r\n\"Lovelace; \"\"Ada\"\"\";ada@x;\"two\r\nlines\"\r\n\r\nBob;bob@x;\r");
  ASSERT_EQ(roster.students.size(), 2u);
  EXPECT_EQ(roster.students[0].name, "Lovelace; \"Ada\"");
  EXPECT_EQ(roster.students[0].fields.email, "ada@x");
  EXPECT_EQ(roster.students[1].name, "Bob");
  EXPECT_EQ(roster.students[1].line, 5);
}

TEST(Roster, AsLmsExportsNameTheColumns) {
  const Roster canvas = MakeRoster(
      "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (77)\n    Points Possible,,,,,10\n"
      "\"Lovelace, Ada\",101,s-17,ada,Section A,\n");
  ASSERT_EQ(canvas.students.size(), 1u);
  EXPECT_EQ(canvas.students[0].fields.id, "s-17");
  EXPECT_EQ(canvas.students[0].fields.lms_id, "101");
  EXPECT_EQ(canvas.fields, (std::vector<std::string>{"name", "id", "Canvas ID", "login", "section"}));
  EXPECT_EQ(canvas.students[0].fields.login, "ada");
  // A teacher who may not see the university's numbers; "ID" is Canvas's own all the same.
  const Roster own =
      MakeRoster("Student,ID,SIS Login ID,Section,Week 1 (77)\n\"Lovelace, Ada\",101,ada,A,\n");
  EXPECT_EQ(own.students[0].fields.lms_id, "101");
  EXPECT_EQ(own.students[0].fields.id, "");
  const Roster plain = MakeRoster("Student,ID,Login,Canvas ID\nAda,17,ada,101\n");
  EXPECT_EQ(plain.students[0].fields.id, "17");
  EXPECT_EQ(plain.students[0].fields.lms_id, "101");
  const Roster moodle =
      MakeRoster("First name\tSurname\tID number\tEmail address\nAda\tLovelace\t17\tada@x\n");
  EXPECT_EQ(moodle.students[0].name, "Ada Lovelace");
  EXPECT_EQ(moodle.students[0].fields.id, "17");
  const Roster gradescope = MakeRoster("First Name,Last Name,SID,Email,Sections\nAda,Lovelace,17,ada@x,A\n");
  EXPECT_EQ(gradescope.students[0].fields.id, "17");
}

TEST(Roster, WrongFilesAreTold) {
  const auto fault = [](const std::string& text) {
    const auto roster = ParseRoster(text, "roster.csv");
    return roster ? "no fault" : English(roster.error().message);
  };
  EXPECT_EQ(fault(""), "roster.csv is empty");
  EXPECT_EQ(fault("name,id\n"), "roster.csv names no student");
  EXPECT_EQ(fault("colour,size\nred,1\n"),
            "roster.csv:1: there is no column name, login or email; the first line has: colour, size");
  EXPECT_EQ(fault("name\n\"Ada\n"), "roster.csv, line 2: a quotation mark is opened but never closed");
  EXPECT_EQ(fault(std::string("\xff\xfen\0a\0", 6)), "roster.csv is UTF-16, not UTF-8");
  EXPECT_EQ(fault("name,id\nAda,1\nBob,2\nEve,1\n"), "roster.csv:4: the id '1' is also in line 2");
  EXPECT_EQ(fault("name,id,Canvas ID\nAda,1,7\nBob,2,7\n"),
            "roster.csv:3: the number in the LMS '7' is also in line 2");
  EXPECT_EQ(fault("name,login\nAda,ada\nBob,ADA\n"), "roster.csv:3: the login 'ADA' is also in line 2");
  EXPECT_EQ(fault("name,id\nAda,\nBob,\n"), "no fault");
}

TEST(Roster, ANumberOfTheLmsIsNoStudentsId) {
  const Roster roster = MakeRoster("Student,ID,SIS User ID\nAda Lovelace,101,4711\nGrace Hopper,4711,102\n");
  EXPECT_EQ(MatchName(roster, {.entry = "x", .id = "4711"}), "Ada Lovelace");
  EXPECT_EQ(MatchName(roster, {.entry = "x", .lms_id = "4711"}), "Grace Hopper");
  EXPECT_EQ(MatchName(roster, {.entry = "x", .lms_id = "102"}), "is not in the roster");
  EXPECT_EQ(MatchName(roster, {.entry = "x", .id = "101"}), "is not in the roster");
  EXPECT_EQ(MatchName(roster, {.entry = "4711"}),
            "fits the id of 2 students of the roster: Ada Lovelace <4711>; Grace Hopper <102>");
}

TEST(Roster, EntriesFindTheirStudents) {
  const Roster roster = MakeRoster(
      "name,id,login,email\nAda Lovelace,17,ada,ada.l@uni.example\nGrace Brewster "
      "Hopper,18,x-ada,hopper@uni.example\n"
      "陳 大文,19,chan,\nŁukasz Żak,20,,\nAlan Kim,21,,\nAlan Kim,22,,\n");
  for (const char* entry : {"Ada Lovelace", "ada lovelace", "lovelaceada", "Lovelace, Ada", "ADA", "17",
                            "ada.l@uni.example", "ada.l", "week1-ada", "Ada_Lovelace"}) {
    EXPECT_EQ(MatchName(roster, {.entry = entry}), "Ada Lovelace") << entry;
  }
  // As they are, and as they are shown.
  for (const char* name : {"Ada\u00A0Lovelace", "Ada\\u{00a0}Lovelace", "Lovelace,\u2009Ada"}) {
    EXPECT_EQ(MatchName(roster, {.entry = name}), "Ada Lovelace") << name;
    const Roster other = MakeRoster("name,id\n\"" + std::string(name) + "\",17\n");
    EXPECT_NE(MatchName(other, {.entry = "Ada Lovelace"}), "is not in the roster") << name;
  }
  EXPECT_EQ(MatchName(roster, {.entry = "hoppergracebrewster"}), "Grace Brewster Hopper");
  EXPECT_EQ(MatchName(roster, {.entry = "week1-x-ada"}), "Grace Brewster Hopper");
  EXPECT_EQ(MatchName(roster, {.entry = "陳大文"}), "陳 大文");
  EXPECT_EQ(MatchName(roster, {.entry = "żakłukasz"}), "Łukasz Żak");
  EXPECT_EQ(MatchName(roster, {.entry = "submission_7", .id = "22"}), "Alan Kim");
  EXPECT_EQ(MatchName(roster, {.entry = "Alan Kim"}),
            "fits the name of 2 students of the roster: Alan Kim <21>; Alan Kim <22>");
  EXPECT_EQ(MatchName(roster, {.entry = "Eve"}), "is not in the roster");
  EXPECT_EQ(MatchName(roster, {.entry = ""}), "is not in the roster");
  // Two with one name are told apart by what comes before it.
  EXPECT_EQ(MatchStudent(roster, {.entry = "x", .name = "Alan Kim", .id = "22"}, kAll).student, 5u);
  EXPECT_EQ(MatchStudent(roster, {.entry = "17"}, {MatchField::kName}).problem, "is not in the roster");
}

TEST(Roster, AccentsMayBeWrittenOtherwiseOrNotAtAll) {
  const Roster roster = MakeRoster(
      "name,id\nRenée Dupont,1\nZoë Roy,2\nZoé Roy,3\nRené Petit,4\nRene Petit,5\nJürgen Groß,6\n");
  for (const char* entry : {"Rene\u0301e Dupont", "Dupont, Rene\u0301e", "dupontrene\u0301e"}) {
    const RosterMatch match = MatchStudent(roster, {.entry = entry}, kAll);
    EXPECT_EQ(match.student, 0u) << entry;
    EXPECT_FALSE(match.without_accents) << entry;
  }
  for (const char* entry : {"Renee Dupont", "Dupont, Renee", "dupontrenee", "Renèe Dupont"}) {
    const RosterMatch match = MatchStudent(roster, {.entry = entry}, kAll);
    EXPECT_EQ(match.student, 0u) << entry;
    EXPECT_TRUE(match.by_name && match.without_accents) << entry;
  }
  for (const char* entry : {"Jurgen Gross", "Juergen Gross", "JÜRGEN GROSS"})
    EXPECT_EQ(MatchName(roster, {.entry = entry}), "Jürgen Groß") << entry;
  // Whoever's name it is comes before whoever's it is without accents; two of the latter are not guessed
  // between.
  EXPECT_EQ(MatchName(roster, {.entry = "Rene Petit"}), "Rene Petit");
  EXPECT_EQ(MatchName(roster, {.entry = "Rene\u0301 Petit"}), "René Petit");
  EXPECT_EQ(MatchName(roster, {.entry = "Zoë Roy"}), "Zoë Roy");
  EXPECT_EQ(
      MatchName(roster, {.entry = "Zoe Roy"}),
      "is ambiguous: without accents it is the name of 2 students of the roster: Zoë Roy <2>; Zoé Roy <3>");
}

TEST(Roster, WordsOfAnInstructorFindStudentsAsEntriesDo) {
  const RosterFields fields{
      .id = "17", .login = "ada", .email = "ada.l@uni.example", .section = "A", .lms_id = "101"};
  for (const char* name : {"Ada Lovelace", "Lovelace, Ada"}) {
    for (const char* word :
         {"Ada Lovelace", "Lovelace, Ada", "lovelaceada", "ADA", "17", "ada.l@uni.example", "101"})
      EXPECT_TRUE(IsCalled(word, name, fields)) << word << " for " << name;
    for (const char* word : {"", "=", "Lovelace", "Eve", "18"})
      EXPECT_FALSE(IsCalled(word, name, fields)) << word << " for " << name;
  }
  EXPECT_FALSE(IsCalled("", "", {}));
  // The number in a graded class's name is no part of it, unless it is written.
  for (const char* name : {"Max Müller (2)", "Müller, Max (2)"}) {
    for (const char* word : {"Max Müller", "Müller, Max", "müller MAX", "Max Müller (2)", "Müller, Max (2)"})
      EXPECT_TRUE(IsCalled(word, name, {})) << word << " for " << name;
    for (const char* word : {"Max Müller (3)", "Max Muller", "Max", "2"})
      EXPECT_FALSE(IsCalled(word, name, {})) << word << " for " << name;
  }
  EXPECT_FALSE(IsCalled("Max Müller (2)", "Müller, Max", {}));
}

TEST(Roster, AColumnWithAnotherNameIsGuessed) {
  const auto next = [](const std::string& text) {
    const auto roster = ParseRoster(text, "r.csv");
    return roster ? "no fault" : English(roster.error().next_step);
  };
  EXPECT_EQ(
      next("Namee,Matrikelnummer\nAda,17\n"),
      "The column 'Namee' looks like name: rename it. The column 'Matrikelnummer' looks like id: rename it.");
  EXPECT_EQ(
      next("Vorname;Nachname\nAda;Lovelace\n"),
      "The column 'Vorname' looks like first name: rename it. The column 'Nachname' looks like last name: "
      "rename it.");
  EXPECT_EQ(next("E-Mail-Adresse\nada@x\n"), "The column 'E-Mail-Adresse' looks like email: rename it.");
  EXPECT_TRUE(next("colour,size\nred,1\n").starts_with("Save it as CSV in UTF-8 with a header line"));
  const Roster roster = MakeRoster("name,Studnet ID,emial,Emails,Week 1\nAda,17,ada@x,x,3\n");
  ASSERT_EQ(roster.misnamed.size(), 3u);
  EXPECT_EQ(roster.misnamed[0].found, "Studnet ID");
  EXPECT_EQ(roster.misnamed[0].meant, "id");
  EXPECT_EQ(roster.misnamed[1].meant, "email");
  EXPECT_TRUE(
      MakeRoster("Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (77),Current Score\nAda,1,2,3,A,1,2\n")
          .misnamed.empty());
}

std::string Doubts(const std::string& text) {
  std::string all;
  for (const RosterDoubt& each : DoubtsAbout(MakeRoster(text), "r.csv")) all += English(each.what) + "\n";
  return all;
}

TEST(Roster, WhatIsAllowedAndProbablyNotMeantIsTold) {
  EXPECT_EQ(Doubts("name,id,email\nAda,1,a@x\nMax Müller,2,\n\"Müller, Max\",3,\n"), "");
  EXPECT_EQ(Doubts("id,login\n1,ada\n"),
            "r.csv:1: there is no column name, by which the downloads of Moodle and Canvas are assigned\n");
  EXPECT_EQ(Doubts("First name,Surname,login\nAda,Lovelace,ada\n"), "");
  EXPECT_EQ(Doubts("First name,login\nAda,ada\n"), "r.csv:1: there are first names and no last names\n");
  EXPECT_EQ(Doubts("Surname,login\nLovelace,ada\n"), "r.csv:1: there are last names and no first names\n");
  EXPECT_EQ(Doubts("Name,First name,login\nAda Lovelace,Ada,ada\n"), "");
  EXPECT_EQ(Doubts("name,id,email\nAda,1,a@x\nSiobhán O'Brien\n\n"),
            "r.csv:3: the line of Siobhán O'Brien has 1 field, and the header has 3\n");
  EXPECT_EQ(Doubts("name,id,,\nAda,1\n"), "") << "a spreadsheet's empty columns";
  EXPECT_EQ(Doubts("name,id,login\nAda,1,ada\n,2,smith\n"), "r.csv:3: the line of smith has no name\n");
  EXPECT_EQ(Doubts("First name,Surname,login\n,,smith\n,Lovelace,ada\n"),
            "r.csv:2: the line of smith has no name\n");
  EXPECT_EQ(Doubts("name,id,login\n2020,smith\n"),
            "r.csv:2: the line of 2020 has 2 fields, and the header has 3\n")
      << "its first field was left out";
  EXPECT_EQ(Doubts("name,id\nAda,1.23457E+11\nBob,12E+5x\nEve,E+5\n"),
            "r.csv:2: 1.23457E+11 looks like a number that a spreadsheet has shortened\n");
  const std::string alike =
      "r.csv:4: Max Müller is also the name in line 2, and not both have an id, login or e-mail address\n";
  EXPECT_EQ(Doubts("name\nMax Müller\nAda\nMax Müller\n"), alike);
  EXPECT_EQ(Doubts("name,id\nMax Müller,7\nAda,\nMax Müller,\n"), alike);
  const Roster roster = MakeRoster("Student,SIS Login ID,Section\nAda,ada,A\n");
  EXPECT_EQ(roster.fields, (std::vector<std::string>{"name", "login", "section"}));
  Course course;
  course.assignments.emplace_back().extensions.emplace_back().student = "chan@uni.example";
  const Status known = CheckExtensions(course, roster, "c.toml");
  ASSERT_FALSE(known);
  EXPECT_EQ(
      English(known.error().next_step),
      "The roster has no column email: add it, or write the student's name, id or login as in the roster.");
}

TEST(Roster, ColumnsThatAreNotRecognisedAreNamed) {
  const auto roster = ParseRoster("name,Matrikelnummer,login,\nAda,1001,ada,\n", "r.csv");
  ASSERT_TRUE(roster);
  EXPECT_EQ(roster->ignored, std::vector<std::string>{"Matrikelnummer"});
}

}  // namespace
}  // namespace warplings
