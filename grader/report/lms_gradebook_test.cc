// SPDX-License-Identifier: Apache-2.0
#include "grader/report/lms_gradebook.h"

#include <gtest/gtest.h>

#include "grader/messages/build.h"
#include "grader/report/lms_number.h"

namespace warplings {
namespace {

RosterFields Ids(const std::string& id, const std::string& login, const std::string& email,
                 const std::string& lms_id) {
  return {id, login, email, "", lms_id};
}

StudentGrades Student(const std::string& name, double points, RosterFields roster,
                      const std::string& handed_in_as = "") {
  StudentGrades student;
  student.name = name;
  student.points = points;
  student.roster = std::move(roster);
  student.handed_in_as = handed_in_as;
  return student;
}

ClassGrades ClassOf(std::vector<StudentGrades> students) {
  ClassGrades grades;
  grades.max_points = 10;
  grades.students = std::move(students);
  return grades;
}

/// Ada's matriculation number is what Moodle calls Grace's participant, and Alan's login what Canvas calls
/// Ada's account.
ClassGrades MixedNumbers() {
  return ClassOf({Student("Ada Lovelace", 1, Ids("4711", "ada", "ada@x", "1")),
                  Student("Grace Hopper", 2, Ids("4712", "grace", "grace@x", "4711"),
                          "Grace Hopper_4711_assignsubmission_file_"),
                  Student("Alan Turing", 3, Ids("4713", "1", "alan@x", "3"))});
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The text, or the error.
std::string Text(const Result<FilledGradebook>& filled) {
  return filled ? JoinedText({*filled}) : "error: " + English(filled.error().message);
}

FilledGradebook Filled(const Result<FilledGradebook>& filled) {
  EXPECT_TRUE(filled.ok()) << filled.error().message;
  return filled ? *filled : FilledGradebook{};
}

Result<FilledGradebook> Worksheet(const ClassGrades& grades, const std::string& rows, bool scale = false) {
  return FillMoodle(grades,
                    {"Identifier,Full name,Email address,ID number,Grade,Maximum Grade\n" + rows, "", scale});
}

Result<FilledGradebook> Canvas(const ClassGrades& grades, const std::string& rows, bool scale = false) {
  return FillCanvas(grades, {"Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (12)\n" + rows, "", scale});
}

TEST(LmsGradebook, MoodlesFeedbackHasTheCompilersFirstError) {
  ClassGrades grades = ClassOf({Student("Ada", 0, Ids("1", "", "ada@x", ""))});
  grades.exercises.resize(1);
  grades.exercises[0].title = "Tiles";
  GradedText text;
  text.result.verdict = Verdict::kCompileError;
  text.result.file = "tiled.cu";
  text.result.source = "int rows;\nint n = n_col;\n";
  text.result.diagnostics = {{Severity::kWarning, {"tiled.cu", 1}, 0, "unused"},
                             {Severity::kError, {"tiled.cu", 2}, 9, "identifier \"n_col\" is undefined"}};
  grades.texts.push_back(std::move(text));
  grades.students[0].cells.resize(1);
  grades.students[0].cells[0].state = GradeCell::State::kGraded;
  grades.students[0].cells[0].text = 0;
  const auto filled = [&] {
    return Text(FillMoodle(grades, {"Email address,W (Real)\nada@x,-\n", "", false}));
  };
  EXPECT_NE(filled().find("compile error: line 2: identifier \"\"n_col\"\" is undefined\n"),
            std::string::npos)
      << filled();
  // A line that the file does not have is not named.
  grades.texts[0].result.diagnostics[1].where = {"other.h", 200};
  EXPECT_NE(filled().find("compile error: identifier"), std::string::npos) << filled();
  // What the compiler has no words for, we have.
  grades.texts[0].result.verdict = Verdict::kForbiddenSymbol;
  grades.texts[0].result.reason = "line 2: submissions may not use system.";
  EXPECT_NE(filled().find("forbidden symbol: line 2: submissions may not use system.\n"), std::string::npos)
      << filled();
}

/// As the student's page has it.
TEST(LmsGradebook, MoodlesFeedbackTellsTheStudentWhatToDo) {
  ClassGrades grades = ClassOf({Student("Ada", 0, Ids("1", "", "ada@x", ""))});
  grades.exercises.resize(1);
  GradedText text;
  text.result.verdict = Verdict::kWrongResult;
  text.result.next_step = "Guard the load.";
  grades.texts.push_back(std::move(text));
  grades.students[0].cells.resize(1);
  GradeCell& cell = grades.students[0].cells[0];
  const auto written = [&] {
    return Text(FillMoodle(grades, {"Email address,W (Real)\nada@x,-\n", "", false}));
  };
  cell.state = GradeCell::State::kGraded;
  cell.text = 0;
  EXPECT_NE(written().find("Do this first: Guard the load."), std::string::npos) << written();
  cell.is_starter = true;
  EXPECT_NE(written().find("  Handed in as it was given out: nothing was changed.\n"), std::string::npos)
      << written();
  EXPECT_EQ(written().find("Do this first"), std::string::npos) << written();
  cell.state = GradeCell::State::kUnusable;
  for (const auto& [problem, told] : std::initializer_list<std::pair<const char*, const char*>>{
           {"a.cu is damaged: x; ask for it again", "a.cu is damaged: x; hand it in again."},
           {"a.7z is not read; unpack it in the student's folder, and grade again",
            "a.7z is not read; unpack it, and hand in what is in it."},
           {"rename it to a.cu, and grade again", "rename it to a.cu, and hand it in again."},
           {"is an archive that is not read; ask for a .zip or a .tar.gz", "hand in a .zip or a .tar.gz."}}) {
    cell.problem = problem;
    EXPECT_NE(written().find(told), std::string::npos) << written();
  }
}

TEST(LmsGradebook, MoodlesFeedbackSaysTheResultAndIsHtml) {
  ClassGrades grades = ClassOf({Student("Ada", 3.5, Ids("1", "", "ada@x", ""))});
  grades.exercises.resize(2);
  grades.exercises[0].id = "tiles";
  grades.exercises[0].title = "Which tiles?";
  grades.exercises[1].id = "edges";
  grades.exercises[1].title = "Edges";
  grades.exercises[0].max_points = 10;
  GradedText text;
  text.result.verdict = Verdict::kWrongResult;
  text.result.misconceptions.resize(1);
  text.result.misconceptions[0].title = "i < n && j < n is missing";
  text.result.misconceptions[0].message = "Test both.";
  grades.texts.push_back(std::move(text));
  grades.students[0].cells.resize(2);
  GradeCell& cell = grades.students[0].cells[0];
  cell.state = GradeCell::State::kGraded;
  cell.text = 0;
  cell.points = 3.5;
  cell.groups = {{.title = "Small", .points = 3.5, .max_points = 5, .passed = 1, .counted = 2}};
  cell.regrade = {.text = "Why?", .answer = "So.", .is_open = false, .author = "", .when = ""};
  grades.exercises[0].rubric = {{"1", "Idea", -2, "", ""}};
  cell.marks = {"1"};
  const std::string sheet =
      "Identifier,Email address,Grade,Maximum Grade,Feedback comments\nParticipant 1,ada@x,,10,\n";
  const std::string written = Text(FillMoodle(grades, {sheet, "", false}));
  EXPECT_NE(
      written.find(
          "tiles (Which tiles?): 3.5 of 10<br>\n  wrong result<br>\n  Do this first: i &lt; n &amp;&amp; j "
          "&lt; n is missing. Test both."
          "<br>\n  Small: 3.5 of 5 points, 1 of 2 tests that count<br>\n  Idea (-2, no effect)<br>\n  Your "
          "request: Why?<br>\n"
          "  Answer: So.<br>\nedges (Edges): 0 of 0<br>\n  No file was handed in.<br>\n"),
      std::string::npos)
      << written;
  // In the gradebook line ends stay; of a file that passed there is nothing to do.
  cell.passed = true;
  cell.regrade->is_open = true;
  const std::string filled = Text(FillMoodle(grades, {"Email address,W (Real)\nada@x,-\n", "", false}));
  EXPECT_NE(filled.find("tiles (Which tiles?): 3.5 of 10\n  Small: 3.5 of 5 points"), std::string::npos)
      << filled;
  for (const char* word : {"<br>", "Do this first", "Answer"})
    EXPECT_EQ(filled.find(word), std::string::npos) << word;
}

TEST(LmsGradebook, MoodlesFeedbackSaysWhatChangedThePoints) {
  ClassGrades grades = ClassOf({Student("Ada", 7, Ids("1", "", "ada@x", ""))});
  grades.exercises.resize(2);
  grades.exercises[0].title = "Tiles";
  grades.exercises[1].title = "Edges";
  grades.exercises[0].id = "tiles";
  grades.exercises[1].id = "edges";
  grades.exercises[0].max_points = grades.exercises[1].max_points = 10;
  grades.students[0].cells.resize(2);
  GradeCell& cell = grades.students[0].cells[0];
  cell.state = GradeCell::State::kGraded;
  cell.passed = true;
  cell.points = 7;
  cell.automatic = 10;
  cell.groups = {{.title = "All", .points = 10, .max_points = 10, .passed = 2, .counted = 2}};
  cell.changes = {{PointChange::Kind::kLate, -0.67, "33 h late", "", ""},
                  {PointChange::Kind::kAttemptRule, 0, "attempt 2 of 2 counts", "", ""},
                  {PointChange::Kind::kOverride, -2.33, "shown in the lab", "Grace", ""}};
  GradeCell& oral = grades.students[0].cells[1];
  oral.points = 4;
  oral.changes = {{PointChange::Kind::kOverride, 4, "oral exam", "Grace", ""}};
  const std::string filled = Text(FillMoodle(grades, {"Email address,W (Real)\nada@x,-\n", "", false}));
  EXPECT_NE(
      filled.find(
          "tiles (Tiles): 7 of 10\n  All: 10 of 10 points, 2 of 2 tests that count\n  -0.67 points: 33 h "
          "late\n  attempt 2 of 2 counts\n  set by hand, instead of 9.33: shown in the lab\n"),
      std::string::npos)
      << filled;
  EXPECT_NE(filled.find("edges (Edges): 4 of 10\n  No file was handed in.\n  set by hand: oral exam\n"),
            std::string::npos)
      << filled;
}

TEST(LmsGradebook, ANumberCountsAmongThoseOfItsKind) {
  const ClassGrades grades = MixedNumbers();
  // Ada's matriculation number is 4711, and the participant of that number is Grace.
  EXPECT_NE(
      Text(Worksheet(grades, "Participant 4711,,,,,10\n")).find("\"Participant 4711\",\"\",\"\",\"\",\"2\""),
      std::string::npos);
  // Nobody has this participant's number; the student whose matriculation number it is, least of all.
  const FilledGradebook nobody = Filled(Worksheet(grades, "Participant 4712,,,,,10\n"));
  EXPECT_TRUE(nobody.filled.empty());
  EXPECT_EQ(Joined(nobody.left), "Participant 4712: not in this class\n");
  // A file that `export` wrote is read back: it has no names.
  EXPECT_EQ(
      Joined(Filled(FillMoodle(grades, {"ID number,Email address,W (Real)\n9,t@x,\n10,,\n,,\n", "", false}))
                 .left),
      "t@x: not in this class\n10: not in this class\nline 4: not in this class\n");
  // Canvas's account 1 is Ada's, though 1 is Alan's login; the account 4711 is Grace's.
  EXPECT_NE(Text(Canvas(grades, "x,1,,,S,\n")).find("\"x\",\"1\",\"\",\"\",\"S\",\"1\""), std::string::npos);
  EXPECT_NE(Text(Canvas(grades, "x,4711,,,S,\n")).find("\"S\",\"2\""), std::string::npos);
  // A login that is somebody's number, an ID number that is somebody's account.
  EXPECT_TRUE(Filled(Canvas(grades, "x,99,,4711,S,\n")).filled.empty());
  EXPECT_TRUE(Filled(Worksheet(grades, "Participant 9,,,3,,10\n")).filled.empty());
}

TEST(LmsGradebook, AWorksheetOfAnotherAssignmentIsRefused) {
  ClassGrades grades =
      ClassOf({Student("Ada", 1, Ids("1", "", "", ""), "Ada_71_assignsubmission_file_"),
               Student("Bob", 2, Ids("2", "", "", "")), Student("Eve", 3, Ids("3", "", "", ""))});
  grades.students[1].participant = "72";
  EXPECT_EQ(
      Text(Worksheet(grades,
                     "Participant 83,Eve,,3,,10\nParticipant 81,Ada,,1,,10\nParticipant 82,Bob,,2,,10\n")),
      "error: this is another assignment's worksheet: Ada is participant 81 in it, and participant 71 where "
      "the files came from");
  // One number that fits is enough: Bob's may be of an earlier export.
  EXPECT_EQ(Filled(Worksheet(grades, "Participant 71,Ada,,1,,10\nParticipant 82,Bob,,2,,10\n")).filled.size(),
            2u);
  EXPECT_EQ(Filled(Worksheet(grades, "Participant 83,Eve,,3,,10\n")).filled.size(), 1u)
      << "nothing is known of Eve's";
}

TEST(LmsGradebook, PointsByHandOfSomebodyWhoIsExcusedThereAreTold) {
  ClassGrades grades =
      ClassOf({Student("Ada", 8, Ids("", "", "", "1")), Student("Bob", 2, Ids("", "", "", "2"))});
  grades.students[0].cells.resize(1);
  grades.students[0].cells[0].changes = {{PointChange::Kind::kOverride, 8, "oral exam", "Grace", ""}};
  EXPECT_EQ(Joined(Filled(Canvas(grades, "Ada,1,,,S,EX\nBob,2,,,S,EX\n")).left),
            "Ada: is excused there, so the points set by hand here are not entered\nBob: is excused there\n");
}

TEST(LmsGradebook, TwoColumnsThatNameTwoStudentsFillNothing) {
  const FilledGradebook filled =
      Filled(Canvas(MixedNumbers(), "Ada Lovelace,1,4712,,S,7\nAlan Turing,3,4713,1,S,\n"));
  EXPECT_EQ(Joined(filled.doubtful),
            "Ada Lovelace: ID '1' is that of Ada Lovelace, SIS User ID '4712' is that of Grace Hopper\n");
  EXPECT_EQ(Joined(filled.filled), "Alan Turing\n");
  EXPECT_NE(JoinedText({filled}).find("\"Ada Lovelace\",\"1\",\"4712\",\"\",\"S\",\"7\""), std::string::npos)
      << "what was there stays";
  EXPECT_TRUE(filled.not_in_export.empty()) << "it is not clear that they are missing";
}

TEST(LmsGradebook, AnIdentifierOfTwoStudentsFillsNothing) {
  const ClassGrades grades = ClassOf(
      {Student("Ada", 1, Ids("", "", "group7@x", "")), Student("Bob", 2, Ids("", "", "Group7@x", ""))});
  const FilledGradebook filled = Filled(Worksheet(grades, "Participant 1,Ada,group7@x,,,10\n"));
  EXPECT_EQ(Joined(filled.doubtful), "Ada: Email address 'group7@x' is that of Ada and Bob\n");
  EXPECT_TRUE(filled.filled.empty());
}

TEST(LmsGradebook, AnAddressOfOneAndTheNameOfAnotherFillNothing) {
  const FilledGradebook filled =
      Filled(Worksheet(MixedNumbers(), "Participant 8,Ada Lovelace,grace@x,,,10\n"));
  EXPECT_EQ(Joined(filled.doubtful),
            "Ada Lovelace: Email address 'grace@x' is that of Grace Hopper, the name that of Ada Lovelace\n");
  // A name that nobody of the class has contradicts nothing: people marry.
  EXPECT_EQ(Joined(Filled(Worksheet(MixedNumbers(), "Participant 8,Ada King,ada@x,,,10\n")).filled),
            "Ada Lovelace\n");
}

TEST(LmsGradebook, AGradeThatMoodleWouldNotTakeStays) {
  const ClassGrades grades =
      ClassOf({Student("Ada", 3, Ids("1", "", "ada@x", "")), Student("Bob", 4, Ids("2", "", "bob@x", ""))});
  const FilledGradebook filled = Filled(
      FillMoodle(grades, {"Identifier,Full name,Email address,Grade,Maximum Grade,Grade can be changed\n"
                          "Participant 8,Ada,ada@x,9,10,No\nParticipant 9,Bob,bob@x,,10,Yes\n",
                          "", true}));
  ASSERT_EQ(filled.left.size(), 1u);
  EXPECT_TRUE(filled.left[0].starts_with("Ada: the worksheet has No under \"Grade can be changed\""))
      << filled.left[0];
  EXPECT_EQ(Joined(filled.filled), "Bob\n");
  EXPECT_EQ(filled.not_in_export, std::vector<std::string>());
  EXPECT_NE(JoinedText({filled}).find("\"ada@x\",\"9\""), std::string::npos) << JoinedText({filled});
}

TEST(LmsGradebook, NamesakesAreNotMixedUp) {
  // The gradebook numbers the second one, so that the name alone would be the first one's.
  const ClassGrades two =
      ClassOf({Student("Kim Lee", 1, Ids("1", "", "", "")), Student("Kim Lee (2)", 2, Ids("2", "", "", ""))});
  const FilledGradebook by_name = Filled(Worksheet(two, "Participant 8,Kim Lee,,,,10\n"));
  EXPECT_EQ(Joined(by_name.doubtful), "Kim Lee: the name is that of Kim Lee and Kim Lee (2)\n");
  EXPECT_EQ(Joined(Filled(Worksheet(two, "Participant 8,Kim Lee,,2,,10\n")).filled), "Kim Lee (2)\n");
  // Somebody of that name who is not in this class has another number.
  const FilledGradebook other = Filled(Worksheet(two, "Participant 8,Kim Lee (2),,9,,10\n"));
  EXPECT_EQ(Joined(other.doubtful),
            "Kim Lee (2): the name is that of Kim Lee (2), for whom the roster has '2', and the line has ID "
            "number '9'\n");
}

TEST(LmsGradebook, NoZeroReplacesAGradeOfSomebodyWhoseWorkMayBeUnassigned) {
  ClassGrades grades =
      ClassOf({Student("Jo Smith", 0, Ids("1", "", "", "")), Student("Jo Smith (2)", 0, Ids("2", "", "", "")),
               Student("Bob", 0, Ids("3", "", "", "")), Student("smithjo (110)", 5, {}, "smithjo"),
               Student("Zoe", 5, {}, "Zoe")});
  grades.students[3].unmatched = "fits the name of 2 students of the roster";
  grades.students[4].unmatched = "is not in the roster";
  const std::string rows = "\"Smith, Jo\",11,1,,,\n\"Smith, Jo\",12,2,,,12\nBob,13,3,,,7\n";
  const FilledGradebook filled = Filled(Canvas(grades, rows));
  EXPECT_EQ(Joined(filled.maybe_handed_in), "Smith, Jo <1>: smithjo (110)\nSmith, Jo <2>: smithjo (110)\n");
  EXPECT_EQ(filled.filled, std::vector<std::string>{"Bob"});
  EXPECT_EQ(filled.not_in_export, std::vector<std::string>{"Zoe"});
  EXPECT_NE(JoinedText({filled}).find(",\"12\"\r\n"), std::string::npos) << JoinedText({filled});
  // A grade of their own goes there.
  grades.students[1].cells.resize(1);
  grades.students[1].cells[0].state = GradeCell::State::kGraded;
  const FilledGradebook decided = Filled(Canvas(grades, rows));
  EXPECT_EQ(Joined(decided.maybe_handed_in), "Smith, Jo <1>: smithjo (110)\n");
  EXPECT_EQ(decided.filled, (std::vector<std::string>{"Jo Smith (2)", "Bob"}));
}

TEST(LmsGradebook, NamesMayDifferInTheirAccents) {
  const ClassGrades grades = ClassOf({Student("Renée Dupont", 1, Ids("", "rd", "", "")),
                                      Student("Zoë Roy", 2, {}), Student("Zoé Roy", 3, {})});
  for (const char* name : {"Rene\u0301e Dupont", "Renee Dupont"}) {
    EXPECT_EQ(Joined(Filled(Worksheet(grades, "Participant 8," + std::string(name) + ",,,,10\n")).filled),
              "Renée Dupont\n");
  }
  EXPECT_EQ(Joined(Filled(Worksheet(grades, "Participant 8,Zoe Roy,,,,10\n")).doubtful),
            "Zoe Roy: without accents the name is that of Zoé Roy and Zoë Roy\n");
  // Who has the name as it is comes first; the other one is another person.
  const FilledGradebook two =
      Filled(Worksheet(grades, "Participant 8,Renee Dupont,,,,10\nParticipant 9,Renée Dupont,,,,10\n"));
  EXPECT_EQ(Joined(two.filled), "Renée Dupont\n");
  EXPECT_EQ(Joined(two.doubtful) + Joined(two.left),
            "Renee Dupont: the name differs from that of Renée Dupont, who is in another line\n");
}

TEST(LmsGradebook, TwoLinesOfOneStudent) {
  const ClassGrades one = ClassOf({Student("Kim Lee", 1, Ids("", "kim", "", ""))});
  EXPECT_EQ(
      Joined(Filled(Worksheet(one, "Participant 8,Kim Lee,,,,10\nParticipant 9,Kim Lee,,,,10\n")).doubtful),
      "Kim Lee: 2 lines have the name of Kim Lee\nKim Lee: 2 lines have the name of Kim Lee\n");
  // Here it is clear whose the first one is, and so that the second is somebody else's. In either order.
  for (const char* rows : {"Kim Lee,7,,kim,S,\nKim Lee,8,,,S,\n", "Kim Lee,8,,,S,\nKim Lee,7,,kim,S,\n"}) {
    const FilledGradebook filled = Filled(Canvas(one, rows));
    EXPECT_EQ(Joined(filled.filled), "Kim Lee\n");
    EXPECT_NE(JoinedText({filled}).find("\"7\",\"\",\"kim\",\"S\",\"1\""), std::string::npos);
    EXPECT_NE(JoinedText({filled}).find("\"8\",\"\",\"\",\"S\",\"\""), std::string::npos);
  }
}

TEST(LmsGradebook, NumbersOfPoints) {
  const std::pair<const char*, double> right[] = {{"12", 12},
                                                  {"12.5", 12.5},
                                                  {"12,50", 12.5},
                                                  {" 7,5 ", 7.5},
                                                  {"0,125", 0.125},
                                                  {"193.00", 193},
                                                  {"1,234.5", 1234.5},
                                                  {"1.234,5", 1234.5},
                                                  {"1,234,567", 1234567},
                                                  {"1234,567", 1234.567}};
  for (const auto& [text, number] : right) {
    const auto read = ReadLmsNumber(text, "here");
    ASSERT_TRUE(read.ok() && *read) << text;
    EXPECT_EQ(**read, number) << text;
  }
  for (const char* text : {"", " ", "-", "(read only)"})
    EXPECT_FALSE(ReadLmsNumber(text, "here")->has_value()) << text;
  for (const char* text : {"1,000", "12abc", "10 %", "1e3", "inf", "nan", "0x10", "-5", "1,2,3", "1.2.3",
                           "1.23,45,6", ".", ",", "5.", "12,5 points", "1,23.4"}) {
    const auto read = ReadLmsNumber(text, "line 3, column 'Grade'");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_TRUE(English(read.error().message).starts_with("line 3, column 'Grade': '"))
        << read.error().message;
  }
}

TEST(LmsGradebook, DecimalCommasAndWhatIsNoNumber) {
  ClassGrades grades = ClassOf({Student("Ada", 5, {})});
  grades.max_points = 12.5;
  EXPECT_NE(Text(Worksheet(grades, "Participant 8,Ada,,,,\"12,50\"\n")).find("\"5\",\"12,50\""),
            std::string::npos);
  EXPECT_EQ(Text(Worksheet(grades, "Participant 8,Ada,,,,12 points\n")),
            "error: line 2, column 'Maximum Grade': '12 points' is not a number of points");
  EXPECT_EQ(Text(Canvas(grades, ",,,,,Manual Posting\n    Points Possible,,,,,\"12,\"\n")),
            "error: line 3, column 'Week 1 (12)': '12,' is not a number of points");
  EXPECT_EQ(Text(Worksheet(grades, "Participant 8,Ada,,,,25\n")),
            "error: line 2, column 'Maximum Grade': the assignment is worth 25 points there, and 12.5 here");
}

TEST(LmsGradebook, EachLineHasItsOwnScale) {
  const ClassGrades grades = ClassOf({Student("Ada", 5, {}), Student("Bob", 5, {}), Student("Eve", 5, {})});
  const std::string text = Text(Worksheet(
      grades, "Participant 1,Ada,,,,100\nParticipant 2,Bob,,,,10\nParticipant 3,Eve,,,,20\n", true));
  for (const char* line : {"\"50\",\"100\"", "\"5\",\"10\"", "\"10\",\"20\""})
    EXPECT_NE(text.find(line), std::string::npos) << text;
  // The feedback beside the grade says where it comes from.
  const std::string told =
      Text(FillMoodle(grades, {"Identifier,Full name,Grade,Maximum Grade,Feedback comments\nParticipant "
                               "1,Ada,,100,\nParticipant 2,Bob,,10,\n",
                               "", true}));
  for (const char* sum :
       {"\"5 of 10 points; converted to the 100 of the grade: 50<br>", "\"5 of 10 points<br>"})
    EXPECT_NE(told.find(sum), std::string::npos) << told;
  EXPECT_EQ(Text(Worksheet(grades, "Participant 1,Ada,,,,100\nParticipant 2,Bob,,,,\n", true)),
            "error: line 3, column 'Maximum Grade': --scale needs a number of points here");
  EXPECT_TRUE(Text(Worksheet(grades, "Participant 1,Ada,,,,0\n", true)).starts_with("error: "));
  const LmsRequest without_points{"Full name,Email address,W (Real)\nAda,a@x,-\n", "", true};
  const auto refused = FillMoodle(grades, without_points);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(English(refused.error().message),
            "Moodle's gradebook does not say how many points the assignment is worth there");
  EXPECT_EQ(English(refused.error().next_step),
            "Export with the assignment's grading worksheet, or set the assignment to 10 points and leave "
            "out --scale.");
  EXPECT_TRUE(Filled(FillMoodle(grades, {without_points.exported, "", false})).is_of_unknown_points);
  EXPECT_FALSE(Filled(Worksheet(grades, "Participant 1,Ada,,,,100\n", true)).is_of_unknown_points);
}

TEST(LmsGradebook, ThePointsPossibleMayBeAnywhere) {
  const ClassGrades grades =
      ClassOf({Student("Ada", 5, Ids("", "", "", "1")), Student("Points Possible", 9, Ids("", "", "", "2"))});
  for (const char* rows :
       {"    Points Possible,,,,,20\nAda,1,,,S,\n", "Ada,1,,,S,\n    Points Possible,,,,,20\n",
        "    Mögliche Punkte,,,,,20\nAda,1,,,S,\n"}) {
    EXPECT_NE(Text(Canvas(grades, rows, true)).find("\"S\",\"10\""), std::string::npos) << rows;
    EXPECT_TRUE(Text(Canvas(grades, rows)).starts_with("error: line ")) << rows;
  }
  // One who calls himself so is a student all the same.
  const std::string text =
      Text(Canvas(grades, "    Points Possible,,,,,10\nPoints Possible,2,,,S,100\nAda,1,,,S,\n"));
  EXPECT_NE(text.find("\"2\",\"\",\"\",\"S\",\"9\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"1\",\"\",\"\",\"S\",\"5\""), std::string::npos) << text;
}

TEST(LmsGradebook, AColumnIsFoundByItsWholeName) {
  const ClassGrades grades = ClassOf({Student("Ada", 7, Ids("1", "ada", "ada@x", "101"))});
  const auto column = [&](const std::string& names, const std::string& wanted) {
    const std::string exported = "Student,ID,SIS Login ID,Section," + names + "\nAda,101,ada,x\n";
    const auto filled = FillCanvas(grades, {exported, wanted, false});
    return filled ? filled->column
                  : English(filled.error().message) + "|" + English(filled.error().next_step);
  };
  EXPECT_EQ(column("Week 7 (1),Week 7b (2)", "Week 7"), "Week 7 (1)");
  EXPECT_EQ(column("Week 7b (2),Week 7 (1)", "Week 7"), "Week 7 (1)");
  EXPECT_EQ(column("Week 7 (1),Week 7 (1) (2)", "Week 7 (1)"), "Week 7 (1)");
  const std::string several = column("Week 6 (1),Week 7 (2),Week 7 (3)", "Week 7");
  EXPECT_NE(several.find("matches more than one column"), std::string::npos) << several;
  EXPECT_NE(several.find("Week 7 (3)"), std::string::npos) << several;
  EXPECT_EQ(several.find("Week 6"), std::string::npos) << several;
  const std::string none = column("Week 6 (1),Lab (2)", "Week6");
  EXPECT_NE(none.find("did you mean Week 6?"), std::string::npos) << none;
  for (const char* wanted : {"Wek 6", "Boundary check"}) {
    const std::string said = column("Week 6: Boundary checks (1),Lab (2)", wanted);
    EXPECT_NE(said.find("did you mean Week 6: Boundary checks?"), std::string::npos) << said;
  }
  EXPECT_EQ(column("Week 6: Boundary checks (1),Lab (2)", "Week 6: Boundary checks"),
            "Week 6: Boundary checks (1)");
  // As a folder of a term finds its column: in whatever case, and up to the first colon.
  EXPECT_EQ(column("Week 6: Boundary checks (1),Lab (2)", "week 6"), "Week 6: Boundary checks (1)");
  EXPECT_EQ(column("Week 6: Boundary checks (1),WEEK 6 (2)", "Week 6"), "WEEK 6 (2)");
  EXPECT_NE(column("Week 6: a (1),Week 6: b (2)", "Week 6").find("matches more than one column"),
            std::string::npos);
  const auto moodle = FillMoodle(grades, {"ID number,Assignment: Week 1: boundary checks (Real),"
                                          "Assignment: Week 12: more (Real)\n1,,\n",
                                          "Week 1", false});
  ASSERT_TRUE(moodle.ok());
  EXPECT_EQ(moodle->column, "Assignment: Week 1: boundary checks (Real)");
  // Moodle says what kind of activity it is.
  const auto filled =
      FillMoodle(grades, {"ID number,Quiz: Week 7 (Real),Assignment: Week 7 (Real)\n1,,\n", "Week 7", false});
  ASSERT_FALSE(filled.ok());
  const auto whole = FillMoodle(grades, {"ID number,Quiz: Week 7 (Real),Assignment: Week 7 (Real)\n1,,\n",
                                         "Assignment: Week 7", false});
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->column, "Assignment: Week 7 (Real)");
}

TEST(LmsGradebook, ShiftedFieldsAndColumnsThatSayWho) {
  const ClassGrades grades = ClassOf({Student("Ada", 5, Ids("1", "", "ada@x", ""))});
  EXPECT_EQ(Text(FillMoodle(grades, {"Full name,ID number,Email address,W (Real)\nLovelace, Ada,1,ada@x,-\n",
                                     "", false})),
            "error: line 2 has 5 fields, but the header has 4");
  EXPECT_NE(
      Text(FillMoodle(grades, {"Full name,ID number,Email address,W (Real)\nAda,1,ada@x,-,\n", "", false}))
          .find("\"5\""),
      std::string::npos)
      << "an empty field more is a spreadsheet's";
  EXPECT_TRUE(
      Text(FillMoodle(grades, {"Full name,ID number,Email address,W\nAda,1,ada@x,-\n", "ID number", false}))
          .starts_with("error: "));
}

TEST(LmsGradebook, AnExportInAnotherLanguageIsToldAsSuch) {
  const auto next = [](const std::string& exported) {
    const auto columns = MoodleColumns(exported);
    return columns ? "no fault" : English(columns.error().next_step);
  };
  const std::string english = "Set Moodle's language to English and download it again.";
  EXPECT_EQ(next("ID,Vollständiger Name,Bewertung\nTeilnehmer/in77,Ada Lovelace,\n"), english);
  EXPECT_EQ(next("Vorname,Nachname,E-Mail-Adresse\nAda,Lovelace,ada@x\n"), english);
  EXPECT_TRUE(next("colour,size\nred,1\n").starts_with("Export it in Moodle:"));
}

TEST(LmsGradebook, AnExportWithoutAColumnOfGradesSaysWhatItHas) {
  const ClassGrades grades = ClassOf({Student("Ada", 5, Ids("1", "", "ada@x", ""))});
  EXPECT_EQ(Text(FillMoodle(grades, {"Identifier,Full name,Bewertung\nParticipant 1,Ada,\n", "", false})),
            "error: the worksheet has no column Grade; its first line has: Identifier, Full name, Bewertung");
  EXPECT_EQ(Text(FillMoodle(grades, {"Email address,ID number\nada@x,1\n", "", false})),
            "error: the file has no column of grades; its first line has: Email address, ID number");
}

TEST(LmsGradebook, MoreThanTheMaximumIsNamed) {
  ClassGrades grades =
      ClassOf({Student("Ada", 5, Ids("1", "", "ada@x", "")), Student("Bob", 5, Ids("2", "", "bob@x", ""))});
  grades.max_points = 4;
  grades.students[1].points = 4;
  const std::string exported =
      "Identifier,Email address,Grade,Maximum Grade\nParticipant 1,ada@x,,8\nParticipant 2,bob@x,,8\n";
  const auto filled = FillMoodle(grades, {exported, "", true});
  ASSERT_TRUE(filled.ok());
  EXPECT_EQ(filled->above, std::vector<std::string>{"Participant 1 (10)"});
}

TEST(LmsGradebook, ALineWithoutAGradeKeepsItsDash) {
  // "'-" is no grade that Moodle reads, and ends the whole import.
  const ClassGrades grades = ClassOf({Student("Ada", 5, {})});
  EXPECT_EQ(Text(FillMoodle(grades, {"Full name,Email address,W (Real)\nEve,eve@x,-\n", "", false})),
            "\"Email address\",\"W (Real)\",\"W (Feedback)\"\r\n\"eve@x\",\"-\",\"\"\r\n");
}

TEST(LmsGradebook, AParticipantsNumberIsNotTakenFromAName) {
  // Eve called herself what Moodle makes of Ada.
  const ClassGrades grades =
      ClassOf({Student("Eve", 10, {}, "Ada_77_assignsubmission_file__78_assignsubmission_file_"),
               Student("Ada", 1, {}, "Ada_77_assignsubmission_file_")});
  EXPECT_EQ(Joined(Filled(Worksheet(grades, "Participant 77,,,,,10\n")).filled), "Ada\n");
  EXPECT_TRUE(Filled(Worksheet(grades, "Participant 78,,,,,10\n")).filled.empty());
}

TEST(LmsGradebook, ADryRunMarksWhoIsNotInTheRosterAndWhatWasNotRead) {
  ClassGrades grades = ClassOf({Student("Ada Lovelace", 0, Ids("1", "", "ada@x", "")),
                                Student("Ravi Kumar", 7, Ids("", "", "", ""), "Ravi Kumar")});
  grades.students[1].unmatched = "is not in the roster";
  grades.exercises.resize(1);
  grades.texts.resize(2);
  grades.texts[0].result.verdict = grades.texts[1].result.verdict = Verdict::kCompileError;
  grades.texts[0].result.reason = say::line_is_no_utf8("tile.cu", 3);
  grades.texts[1].result.reason = "nvcc found an error";
  for (std::size_t i = 0; i < 2; ++i) {
    grades.students[i].cells.resize(1);
    grades.students[i].cells[0].state = GradeCell::State::kGraded;
    grades.students[i].cells[0].text = i;
  }
  const FilledGradebook filled = Filled(
      Worksheet(grades, "Participant 1,Ada Lovelace,ada@x,1,,10\nParticipant 2,Ravi Kumar,r@x,2,,10\n"));
  const std::string text = LmsChangesText({filled});
  EXPECT_NE(text.find("  Ada Lovelace  no grade -> 0  tile.cu, line 3: this is not UTF-8 text.\n"
                      "  Ravi Kumar    no grade -> 7  is not in the roster\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace warplings
