// SPDX-License-Identifier: Apache-2.0
#include "grader/report/class_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/messages/build.h"
#include "grader/messages/joining.h"
#include "tests/support/made_up_class.h"

namespace warplings {
namespace {

using nlohmann::json;

TEST(ClassReportData, HoldsWhatThePagesShow) {
  ClassGrades grades = report_test::MadeUpClass();
  grades.texts[0].result.source = "int x;\x1b[31m\xff";
  grades.time_zone = "Asia/Taipei";
  grades.due = 1'790'553'600;
  const json data = json::parse(ClassReportData(grades));
  EXPECT_EQ(data["time_zone"], "Asia/Taipei");
  EXPECT_EQ(data["due"], 1'790'553'600);
  EXPECT_EQ(data["seed"], "18446744073709551615");
  ASSERT_EQ(data["students"].size(), 4u);
  const json& cell = data["students"][0]["cells"][0];
  EXPECT_EQ(cell["state"], "graded");
  EXPECT_EQ(cell["verdict"], "crashed");
  EXPECT_EQ(cell["text"], 0);
  EXPECT_EQ(data["students"][1]["cells"][0]["state"], "missing");
  EXPECT_EQ(data["students"][1]["cells"][0]["text"], nullptr);
  EXPECT_EQ(data["students"][2]["cells"][0]["problem"], "scale.cu is a link");
  EXPECT_EQ(data["students"][3]["complete"], false);
  EXPECT_EQ(data["exercises"][0]["tests"][0]["passed"], 1);
  EXPECT_EQ(data["exercises"][0]["misconceptions"][0]["students"], json::array({0}));
  EXPECT_EQ(data["texts"][0]["source"], "int x;\\x1b[31m\\xff");
}

TEST(ClassReportData, ShowsTheBeginningOfAFileThatWasRefusedForItsSize) {
  ClassGrades grades = report_test::MadeUpClass();
  const auto shown = [&](const std::string& source) {
    grades.texts[0].result.source = source;
    const json data = json::parse(ClassReportData(grades));
    EXPECT_EQ(data["texts"][0]["is_cut"], true);
    return data["texts"][0]["source"].get<std::string>();
  };
  EXPECT_EQ(json::parse(ClassReportData(grades))["texts"][0]["is_cut"], false);
  grades.texts[0].result.reason = say::file_too_large("scale.cu");
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "int x;\n";
  EXPECT_EQ(shown(lines + std::string(1 << 20, '/') + "\nint y;\n") + "\n", lines);
  EXPECT_EQ(shown("a" + std::string(1 << 20, '/')).size(), 100'000u);
  std::string letters;
  while (letters.size() < 200'000) letters += "ü";
  EXPECT_EQ(shown("a" + letters), "a" + letters.substr(0, 99'998)) << "no half of a letter";
}

TEST(ClassReportData, SaysWhatMovedPoints) {
  ClassGrades grades = report_test::MadeUpClass();
  GradeCell& cell = grades.students[0].cells[0];
  cell.automatic = 4;
  cell.changes = {{PointChange::Kind::kLate, -0.5, "26 h late", "", ""},
                  {PointChange::Kind::kOverride, -1, "a\x1b[31mcopy", "R. Ortega", "2026-10-01T12:00:00Z"}};
  cell.handed_in_at = 1'790'553'600;
  cell.late_seconds = 93'600;
  grades.unplaced = {{"week\x1b[1.zip", "is nobody's", "Rename it."}};
  grades.students[0].roster = {"7", "login", "a@example.edu", "Friday\u202e"};
  const json data = json::parse(ClassReportData(grades));
  const json& shown = data["students"][0]["cells"][0];
  EXPECT_EQ(shown["automatic"], 4);
  EXPECT_EQ(shown["changes"][0]["kind"], "late");
  EXPECT_EQ(shown["changes"][1]["kind"], "override");
  EXPECT_EQ(shown["changes"][1]["delta"], -1);
  EXPECT_EQ(shown["changes"][1]["reason"], "a\\x1b[31mcopy");
  EXPECT_EQ(shown["handed_in_at"], 1'790'553'600);
  EXPECT_EQ(shown["late_seconds"], 93'600);
  EXPECT_EQ(data["students"][0]["section"], "Friday\\u{202e}");
  EXPECT_EQ(data["students"][1]["handed_in_at"], nullptr);
  EXPECT_EQ(data["unplaced"][0]["name"], "week\\x1b[1.zip");
  EXPECT_EQ(data["unplaced"][0]["advice"], "Rename it.");
}

/// Beside its line; where that is none of the source's, with its place.
TEST(ClassReportData, NotesStandAtTheirLines) {
  ClassGrades grades = report_test::MadeUpClass();
  grades.texts[0].result.file = "scale.cu";
  grades.texts[0].result.diagnostics[0].where = {"scale.cu", 3};
  Finding elsewhere = grades.texts[0].result.tests[1].findings[0];
  elsewhere.where = {"/submission/scale.cu", 400};
  grades.texts[0].result.tests[1].findings.push_back(elsewhere);
  const json text = json::parse(ClassReportData(grades))["texts"][0];
  ASSERT_EQ(text["notes"].size(), 4u);
  EXPECT_EQ(text["notes"][0]["line"], 3);
  EXPECT_EQ(text["notes"][0]["heading"], "warning: variable \"j\" is used before it is set");
  EXPECT_EQ(text["notes"][1]["line"], 2);
  EXPECT_EQ(text["notes"][1]["heading"], "error: out of bounds read, 42 times, in 2 tests");
  EXPECT_EQ(text["notes"][1]["details"][0], "reads past the end of x");
  EXPECT_EQ(text["notes"][2]["line"], 0);
  EXPECT_EQ(text["notes"][2]["place"], "scale.cu:400");
  EXPECT_EQ(text["tests"][0]["end"], "passed");
  EXPECT_EQ(text["tests"][1]["end"], "failed");
  EXPECT_EQ(text["tests"][1]["wrong"][0], json::array({"y[1]", "2.5", "0", "never written"}));
  EXPECT_EQ(text["misconceptions"][0]["evidence"], "three elements");
}

/// The compiler says nothing of a forbidden call; where it says something of a line, that is enough.
TEST(ClassReportData, AReasonIsMarkedInTheLinesThatItNames) {
  ClassGrades grades = report_test::MadeUpClass();
  ExerciseResult& result = grades.texts[0].result;
  result.file = "scale.cu";
  result.source = "void f() {\n  fork();\n  system(0);\n}\n";
  result.tests.clear();
  result.diagnostics.clear();
  result.verdict = Verdict::kForbiddenSymbol;
  result.reason = say::in_line(2, say::may_not_use(say::two_names("fork", say::name_in_line("system", 3))));
  const auto notes = [&] { return json::parse(ClassReportData(grades))["texts"][0]["notes"]; };
  ASSERT_EQ(notes().size(), 2u) << notes();
  EXPECT_EQ(notes()[0]["line"], 2);
  EXPECT_EQ(notes()[0]["heading"], "error: submissions may not use fork and system (line 3).");
  EXPECT_EQ(notes()[1]["line"], 3);
  result.diagnostics = {{Severity::kError, {"scale.cu", 2}, 0, "expected a declaration"},
                        {Severity::kWarning, {"scale.cu", 3}, 0, "unused"}};
  ASSERT_EQ(notes().size(), 3u) << notes();
  EXPECT_EQ(notes()[0]["heading"], "error: expected a declaration");
  EXPECT_EQ(notes()[2]["line"], 3);
  EXPECT_EQ(notes()[2]["severity"], "error");
}

/// As on the student's own screen.
TEST(ClassReportData, RightValuesAreNotCalledAWrongResult) {
  ClassGrades grades = report_test::MadeUpClass();
  ExerciseResult& result = grades.texts[0].result;
  result.verdict = Verdict::kWrongResult;
  result.tests.resize(1);
  result.tests[0].verdict = Verdict::kWrongResult;
  result.tests[0].element_count = 9;
  result.tests[0].wrong_count = 1;
  const auto words = [&] {
    return json::parse(ClassReportData(grades))["students"][0]["cells"][0]["verdict"].get<std::string>();
  };
  EXPECT_EQ(words(), "wrong result");
  result.tests[0].wrong_count = 0;
  EXPECT_EQ(words(), "all values are right, but another requirement is not met");
}

}  // namespace
}  // namespace warplings
