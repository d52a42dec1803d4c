// SPDX-License-Identifier: Apache-2.0
// `warplings grade` by a course, of a part, and of what LMSs export; `warplings course`.
#include <algorithm>

#include "tests/cli/grade_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTiledMatmul = "01_boundary_checks/tiled_matmul";
constexpr const char* kRoster =
    "Student,ID,SIS User ID,SIS Login ID,Section\nPoints Possible,,,,\n\"Lovelace, Ada\",101,s1,ada,A\n"
    "\"Hopper, Grace\",102,s2,grace,A\n\"Kim, Alan\",103,s3,alan,B\n";

class GradeCourseTest : public GradeFixture {
 protected:
  fs::path Course() const { return scratch() / "term" / "course.toml"; }
  void WriteCourse(const std::string& assignment) const {
    WriteText(Course(),
              "[course]\ntitle = \"CUDA\"\nroster = \"roster.csv\"\n[late]\npercent_per_day = 10\n"
              "[[assignment]]\nid = \"week1\"\nwhat = [\"tiled_matmul\"]\n" +
                  assignment);
    WriteText(scratch() / "term" / "roster.csv", kRoster);
  }
  ProgramRun GradeWeek(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"--course", Course(), "--assignment", "week1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Grade(arguments);
  }
};

/// The starters of chapter 1 pass 5 of its 37 tests.
TEST_F(GradeCourseTest, UnchangedStartersEarnNothingByTheCourseOfInit) {
  RUN_ONE_IN(3);
  fs::create_directories(Course().parent_path());
  ASSERT_EQ(Run({"course", "init", Course()}).status, 0);
  for (const std::string name : {"out_of_range_loads", "tiled_matmul", "repair_tiled_matmul"}) {
    HandIn("alan/" + name + ".cu", ReadText(layout_.root / "chapters/01_boundary_checks" / (name + ".cu")));
  }
  const ProgramRun run = GradeWeek();
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(ReadCsv().at("alan").at("Points"), "0");
}

TEST_F(GradeCourseTest, AnLmssExportByACourse) {
  RUN_ONE_IN(3);
  WriteCourse("points = 20\ndue = 2026-10-08\n");
  HandIn("lovelaceada_101_501_tiled_matmul.cu", "void broken( {\n");
  HandIn("lovelaceada_101_602_tiled_matmul-1.cu", Solution(kTiledMatmul));
  HandIn("hoppergrace_LATE_102_502_tiled_matmul.cu", Solution(kTiledMatmul));
  HandIn("evemallory_109_503_tiled_matmul.cu", "void broken( {\n");
  HandIn(".../notes.txt", "a student's folder, whatever its name");
  HandIn("tiled_matmul.cu", "whose?");
  HandIn("notes.txt", "nobody's");
  HandIn("Thumbs.db", "Windows's");
  const ProgramRun run = GradeWeek();
  EXPECT_EQ(run.status, 4) << run.out << run.err;
  EXPECT_NE(run.err.find("tiled_matmul.cu does not say whose it is"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("notes.txt is neither a folder nor an archive"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("evemallory is not in the roster; it is graded, and not counted"), std::string::npos)
      << run.err;
  EXPECT_NE(run.out.find("3 students and 2 unassigned submissions: "), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("4 entries belong to no student"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("Thumbs.db"), std::string::npos) << run.err;

  const auto lines = ReadCsv();
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines.at("Lovelace, Ada").at("Points"), "20");  // The last attempt.
  EXPECT_EQ(lines.at("Lovelace, Ada").at("Max points"), "20");
  EXPECT_NE(lines.at("Lovelace, Ada").at("Remarks").find("2 attempts at tiled_matmul"), std::string::npos);
  EXPECT_EQ(lines.at("Hopper, Grace").at("Points"), "18");  // Late, and nobody knows how much: one day.
  EXPECT_EQ(lines.at("Kim, Alan").at("Points"), "0");
  EXPECT_NE(lines.at("Kim, Alan").at("Remarks").find("nothing was handed in"), std::string::npos);
  EXPECT_EQ(lines.at("evemallory").at("Points"), "0");
  EXPECT_EQ(lines.at("...").at("Points"), "0");
  EXPECT_NE(lines.at("...").at("Remarks").find("is not in the roster"), std::string::npos);

  // Each report has them in a box of their own, also one that is drawn later.
  const fs::path index = Out() / "report/index.html";
  fs::remove(index);
  EXPECT_EQ(Run({"override", Out(), "Ada Lovelace", "tiled_matmul", "--comment", "Good."}).status, 0);
  const std::string page = ReadText(index);
  EXPECT_NE(page.find("Students: 3"), std::string::npos);
  EXPECT_NE(page.find("Handed in by somebody who is not in the roster: 2"), std::string::npos);
  EXPECT_NE(page.find("<bdi>evemallory</bdi></a> is not in the roster (0 of 20 points; handed in as"),
            std::string::npos);
  EXPECT_NE(page.find("Of the 3 students who are completely graded."), std::string::npos);
}

TEST_F(GradeCourseTest, AttemptsTestsAndExtensions) {
  RUN_ONE_IN(3);
  WriteCourse(
      "scoring = \"per_test\"\nattempts = \"first\"\n"
      "[[assignment.extension]]\nstudent = \"grace\"\nno_deduction = true\n");
  HandIn("lovelaceada_101_501_tiled_matmul.cu",
         Mutant("01_boundary_checks/tiled_matmul.infinity_of_another_row"));
  HandIn("lovelaceada_101_602_tiled_matmul-1.cu", Solution(kTiledMatmul));
  HandIn("grace/tiled_matmul.cu", Solution(kTiledMatmul));
  HandIn("alan/tiled_matmul.cu", "void broken( {\n");
  ProgramRun run = GradeWeek();
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  auto lines = ReadCsv();
  const double part = std::stod(lines.at("Lovelace, Ada").at("Points"));
  EXPECT_GT(part, 0);  // Some tests passed.
  EXPECT_LT(part, 10);
  EXPECT_EQ(lines.at("Hopper, Grace").at("Points"), "10");
  // Another rule of the same course: what was graded stays graded.
  WriteCourse("attempts = \"best\"\n");
  run = GradeWeek();
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_NE(run.out.find("3 graded before, 0 to grade"), std::string::npos) << run.out;
  lines = ReadCsv();
  EXPECT_EQ(lines.at("Lovelace, Ada").at("Points"), "10");
}

TEST_F(GradeCourseTest, APartOfTheWorkbookCountsAlone) {
  HandIn("ada/tiled_matmul.cu", Solution(kTiledMatmul));
  HandIn("ada/reverse.cu", "void broken( {\n");
  const ProgramRun run = Grade({"tiled_matmul"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_NE(run.out.find("1 file, 1 different"), std::string::npos) << run.out;
  const auto line = ReadCsv().at("ada");
  EXPECT_EQ(line.at("Points"), "10");
  EXPECT_EQ(line.at("Max points"), "10");
  EXPECT_FALSE(line.contains("02_tiling_as_data_reuse/reverse"));
  EXPECT_EQ(line.at("Remarks"), "");  // Another exercise's file is no stranger.
}

TEST_F(GradeCourseTest, GradescopeSaysWhoAndWhen) {
  WriteCourse("due = 2026-10-08T12:00:00Z\n");
  HandIn("submission_metadata.yml",
         "submission_7:\n  :submitters:\n  - :name: Somebody Else\n    :sid: s1\n  - :name: Grace Hopper\n"
         "  :created_at: 2026-10-09 13:00:00.000000000 Z\n");
  HandIn("submission_7/tiled_matmul.cu", Solution(kTiledMatmul));
  const ProgramRun run = GradeWeek();
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const auto lines = ReadCsv();
  EXPECT_EQ(lines.at("Lovelace, Ada").at("Points"), "8");  // 25 hours: two days begun.
  EXPECT_EQ(lines.at("Hopper, Grace").at("Points"), "8");
}

TEST_F(GradeCourseTest, AWrongCourseIsToldBeforeAnythingIsMade) {
  HandIn("ada/tiled_matmul.cu", "void broken( {\n");
  const auto expect = [&](const std::vector<std::string>& more, const std::string& words) {
    const ProgramRun run = Grade(more);
    EXPECT_EQ(run.status, 2) << run.out << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(Out()));
  };
  expect({"tiled_matmu"}, "did you mean tiled_matmul?");
  expect({"--course", Course(), "--assignment", "week1"}, "course.toml: there is no such file");
  expect({"--course", Course()}, "course.toml: there is no such file");
  WriteCourse("");
  expect({"--course", Course()}, "--course requires --assignment");
  WriteCourse("scoring = \"per-test\"\n");
  expect({"--course", Course(), "--assignment", "week1"},
         "course.toml:9: assignment.scoring: 'per-test' must be one of");
  WriteCourse("");
  expect({"--course", Course(), "--assignment", "week2"}, "no assignment 'week2'; did you mean week1?");
  WriteCourse("[[assignment.extension]]\nstudent = \"adda\"\nno_deduction = true\n");
  expect({"--course", Course(), "--assignment", "week1"}, "'adda' is not in the roster; did you mean ada?");
  expect({"tiled_matmul", "--course", Course(), "--assignment", "week1"}, "WHAT");
}

TEST_F(GradeCourseTest, InitWritesWhatCheckAccepts) {
  const fs::path file = scratch() / "new.toml";
  EXPECT_EQ(Run({"course", "init", file}).status, 0);
  const ProgramRun check = Run({"course", "check", file});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(
      check.out.find("week1: Week 1: boundary checks, 3 exercises, 25 points, due 2026-10-08 23:59:00 UTC"),
      std::string::npos)
      << check.out;
  EXPECT_NE(check.out.find("  late: 10 % a day, 50 % at most, after 15 min of grace, closed after 7 days\n"),
            std::string::npos)
      << check.out;
  const ProgramRun again = Run({"course", "init", file});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("already exists"), std::string::npos) << again.err;
  EXPECT_EQ(Run({"course", "destroy", file}).status, 2);
}

TEST_F(GradeCourseTest, AnAssignmentWithoutPointsIsNoted) {
  WriteCourse("points = 0\n");
  const ProgramRun check = Run({"course", "check", Course()});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(check.out.find("0 points\n  Note: nobody can get points here"), std::string::npos) << check.out;
}

TEST_F(GradeCourseTest, TheDocumentsExampleIsRight) {
  const std::string page = ReadText(layout_.root / "docs" / "course.md");
  const auto block = [&](const std::string& kind) {
    const std::size_t start = page.find("```" + kind + "\n");
    EXPECT_NE(start, std::string::npos) << kind;
    if (start == std::string::npos) return std::string();
    const std::size_t text = page.find('\n', start) + 1;
    return page.substr(text, page.find("\n```", text) + 1 - text);
  };
  WriteText(scratch() / "doc" / "course.toml", block("toml"));
  WriteText(scratch() / "doc" / "roster.csv", block("csv"));
  const ProgramRun check = Run({"course", "check", scratch() / "doc" / "course.toml"});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  EXPECT_NE(check.out.find("roster.csv: 3 students"), std::string::npos) << check.out;
  // What the page says of its example.
  for (const char* line :
       {"  tiled_matmul: 10 points, rubric",
        "    One tile, partly filled: 3 points, all or nothing, 2 tests: TiledMatmul.OneThreadOf256HasWork, ",
        "    Any width: 7 points, per test, 3 tests: TiledMatmul.AnyWidth, TiledMatmul.LastPhase*\n",
        "  out_of_range_loads: 3.33 points, per test\n",
        "  Ada Lovelace <ada@uni.example>: due 2026-10-10 23:59:00 CEST\n"}) {
    EXPECT_NE(check.out.find(line), std::string::npos) << line << "\n" << check.out;
  }
}

}  // namespace
}  // namespace warplings::cli_test
