// SPDX-License-Identifier: Apache-2.0
// `warplings grade` on small classes: odd and hostile submissions, what comes out, going on after kills.
#include <sys/stat.h>

#include <algorithm>
#include <random>

#include "grader/gradebook/class_lock.h"
#include "tests/cli/grade_fixture.h"
#include "tests/support/drawn.h"
#include "tests/support/schema_check.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTiled = "01_boundary_checks/tiled_matmul";

class GradeTest : public GradeFixture {
 protected:
  /// Files of all kinds by students of all kinds. Few of them need a compiler.
  void MakeOddClass() const {
    const std::string solution = Solution(kTiled);
    HandIn("Ada Lovelace/chapters/01_boundary_checks/tiled_matmul.cu", solution);
    HandIn("陳大文/tiled_matmul.cu", solution);
    HandIn("=1+1/work/tiled_matmul.cu", Mutant("01_boundary_checks/tiled_matmul.m_load_unguarded"));
    HandIn("<b>bold/TILED_MATMUL.CU", solution);
    std::string windows = "\xef\xbb\xbf";
    for (const char c : solution) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    HandIn("packed/my work/01_boundary_checks/tiled_matmul.cu", windows);
    HandIn("@broken/tiled_matmul.cu", "void broken( {\n");
    HandIn("empty/tiled_matmul.cu", "");
    HandIn("not utf8/tiled_matmul.cu", "// caf\xe9\n" + solution);
    HandIn(std::string(200, 'x') + "/reverse.txt", "");
    HandIn("-1+1/notes.txt", "");
    HandIn("+1/notes.txt", "");
    HandIn("twice/a/tiled_matmul.cu", solution);
    HandIn("twice/b/tiled_matmul.cu", "other");
    HandIn("broken archive.zip", "PK\x03\x04 no archive");
    HandIn("roster.csv", "not a student");
    fs::create_directories(ClassFolder() / "links");
    fs::create_symlink("/etc/passwd", ClassFolder() / "links" / "tiled_matmul.cu");
    ASSERT_EQ(::mkfifo((ClassFolder() / "links" / "reverse.cu").c_str(), 0600), 0);
    const ProgramRun packed =
        RunProgram({"tar", "-czf", ClassFolder() / "packed.tar.gz", "-C", ClassFolder() / "packed", "."});
    ASSERT_EQ(packed.status, 0) << packed.err;
    fs::remove_all(ClassFolder() / "packed");
  }

  /// Different texts, so that a kill meets some that are graded and some that are not.
  void MakeSmallClass(int students) const {
    for (int i = 0; i < students; ++i) {
      HandIn("student " + std::to_string(i) + "/tiled_matmul.cu",
             Solution(kTiled) + "// by " + std::to_string(i) + "\n");
    }
    HandIn("last/tiled_matmul.cu", Mutant("01_boundary_checks/tiled_matmul.second_barrier_missing"));
  }
};

TEST_F(GradeTest, WhereNoSandboxCanBeMadeNobodyGetsNoPoints) {
  HandIn("ada/tiled_matmul.cu", Solution(kTiled));
  HandIn("packed/tiled_matmul.cu", Solution(kTiled));
  ASSERT_EQ(RunProgram({"tar", "-czf", ClassFolder() / "packed.tar.gz", "-C", ClassFolder() / "packed", "."})
                .status,
            0);
  fs::remove_all(ClassFolder() / "packed");
  WriteText(scratch() / "bin" / "bwrap",
            "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  fs::permissions(scratch() / "bin" / "bwrap", fs::perms::owner_all);
  const std::string path = (scratch() / "bin").string() + ":/usr/bin:/bin";
  const ProgramRun run = Grade({}, {.environment = {{"PATH", path}}});
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_NE(run.err.find("No permissions to create new namespace"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(Out() / "grades.csv"));
}

TEST_F(GradeTest, EveryOddSubmissionIsReportedAndNoneEndsTheBatch) {
  RUN_ONE_IN(3);
  MakeOddClass();
  const ProgramRun run = Grade();
  EXPECT_EQ(run.status, 4) << run.out << run.err;
  EXPECT_NE(run.err.find("1 entry belongs to no student"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("roster.csv is neither a folder nor an archive"), std::string::npos) << run.err;
  // Three equal solutions and the one with a BOM, the mutant, and three that do not compile.
  EXPECT_NE(run.out.find("8 files, 6 different"), std::string::npos) << run.out;

  const auto lines = ReadCsv();
  ASSERT_EQ(lines.size(), 14u);
  for (const char* student : {"Ada Lovelace", "陳大文", "<b>bold", "packed"}) {
    EXPECT_EQ(lines.at(student).at(kTiled), "10") << student;
    EXPECT_EQ(lines.at(student).at("Points"), "10") << student;
    EXPECT_EQ(lines.at(student).at("Unusable"), "0") << student;
  }
  for (const char* student : {"=1+1", "@broken", "empty", "not utf8"}) {
    EXPECT_EQ(lines.at(student).at(kTiled), "0") << student;
  }
  EXPECT_EQ(lines.at("links").at("Unusable"), "2");
  EXPECT_NE(lines.at("links").at("Remarks").find("is a link that leaves the folder"), std::string::npos);
  EXPECT_NE(lines.at("twice").at("Remarks").find("two different files"), std::string::npos);
  EXPECT_EQ(lines.at("twice").at(kTiled), "");
  EXPECT_NE(lines.at("broken archive").at("Remarks"), "");
  for (const std::string& student : {std::string(200, 'x'), std::string("-1+1"), std::string("+1")}) {
    EXPECT_EQ(lines.at(student).at("Points"), "0") << student;
  }
  for (const auto& [student, line] : lines) EXPECT_EQ(line.at("Not graded"), "0") << student;

  // Gradescope's files.
  const json schema = json::parse(ReadText(layout_.root / "docs" / "gradescope.schema.json"));
  std::size_t results = 0;
  for (const auto& entry : fs::recursive_directory_iterator(Out() / "gradescope")) {
    if (!entry.is_regular_file()) continue;
    ++results;
    const json result = json::parse(ReadText(entry.path()), nullptr, /*allow_exceptions=*/false);
    EXPECT_EQ(report_test::SchemaFaults(schema, result), "") << entry.path();
  }
  EXPECT_EQ(results, 14u);

  // The class report: a page for each student, nothing from outside, nothing that a name could smuggle in.
  const std::string index = ReadText(Out() / "report" / "index.html");
  EXPECT_NE(index.find("A load from M reads outside the matrix"), std::string::npos);
  EXPECT_NE(index.find("&lt;b&gt;bold"), std::string::npos);
  EXPECT_EQ(index.find("<b>bold"), std::string::npos);
  std::size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(Out() / "report" / "students")) {
    ++pages;
    const std::string page = ReadText(entry.path());
    for (const char* outside : {"src=", "http:", "https:", "@import"}) {
      EXPECT_EQ(page.find(outside), std::string::npos) << entry.path() << outside;
    }
    std::size_t scripts = 0;
    for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
      ++scripts;
    EXPECT_EQ(scripts, 2u) << entry.path();  // Ours, and the data that it reads.
  }
  EXPECT_EQ(pages, 14u);
  const std::string evil = ReadText(Out() / "report" / "students" / "_1_1.html");
  EXPECT_NE(evil.find("Do this first"), std::string::npos);
}

TEST_F(GradeTest, OnlyWhatChangedIsGradedAnew) {
  RUN_ONE_IN(3);
  HandIn("ada/tiled_matmul.cu", Solution(kTiled));
  HandIn("bob/tiled_matmul.cu", "void broken( {\n");
  EXPECT_NE(Grade().out.find("0 graded before, 2 to grade"), std::string::npos);
  const std::string report = ReadText(Out() / "report" / "index.html");
  ASSERT_FALSE(report.empty());
  EXPECT_NE(Grade().out.find("2 graded before, 0 to grade"), std::string::npos);
  EXPECT_EQ(ReadText(Out() / "report" / "index.html"), report);

  // The seed of the first time is kept without --seed; another one is another result.
  EXPECT_NE(Run({"grade", ClassFolder(), "--out", Out()}).out.find("2 graded before"), std::string::npos);
  HandIn("bob/tiled_matmul.cu", Solution(kTiled));
  fs::remove_all(ClassFolder() / "ada");
  EXPECT_NE(Grade().out.find("1 student: 1 file, 1 different; 1 graded before, 0 to grade"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(Out() / "gradescope" / "ada"));
  EXPECT_FALSE(fs::exists(Out() / "report" / "students" / "ada.html"));
  HandIn("bob/tiled_matmul.cu", Solution(kTiled) + "// mine\n");
  EXPECT_NE(Grade().out.find("0 graded before, 1 to grade"), std::string::npos);
  EXPECT_NE(Grade({"--regrade"}).out.find("0 graded before, 1 to grade"), std::string::npos);
  EXPECT_NE(Grade().out.find("1 graded before, 0 to grade"), std::string::npos);
  EXPECT_EQ(ReadCsv().at("bob").at("Points"), "10");
}

TEST_F(GradeTest, AKilledRunGoesOnToTheSameGradebook) {
  RUN_ONE_IN(6);
  MakeSmallClass(4);
  ProgramOptions options;
  options.environment["XDG_CACHE_HOME"] = scratch() / "first_cache";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Grade({"--out", Out("whole")}, options).status, 0);
  const auto whole =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);

  // Its own cache, so that it is killed while it compiles, too.
  options.environment["XDG_CACHE_HOME"] = scratch() / "second_cache";
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("random seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  for (int kill = 0; kill < 3; ++kill) {
    options.kill_after = std::chrono::milliseconds(20 + random() % static_cast<unsigned>(whole.count() / 2));
    const int status = Grade({"--out", Out("killed")}, options).status;
    EXPECT_TRUE(status == 128 + SIGKILL || status == 0) << status;
  }
  options.kill_after = {};
  const ProgramRun last = Grade({"--out", Out("killed")}, options);
  EXPECT_EQ(last.status, 0) << last.out << last.err;
  const json expected = GradebookContents(Out("whole")), got = GradebookContents(Out("killed"));
  EXPECT_EQ(expected, got) << json::diff(expected, got).dump(1);
  EXPECT_EQ(ReadText(Out("whole") / "grades.csv"), ReadText(Out("killed") / "grades.csv"));
  EXPECT_NE(ReadText(Out("whole") / "grades.csv"), "");
}

TEST_F(GradeTest, AGraderFaultIsNoZeroAndIsTriedAgain) {
  RUN_ONE_IN(3);
  HandIn("ada/tiled_matmul.cu", Solution(kTiled));
  HandIn("bob/tiled_matmul.cu", Solution(kTiled) + "// bob's\n");
  // The virtual GPU reserves terabytes of addresses: where it may not, the machine is at fault, not bob.
  ProgramOptions narrow;
  narrow.address_space = std::uint64_t{8} << 30;
  const ProgramRun refused = Grade({}, narrow);
  EXPECT_EQ(refused.status, 3) << refused.out << refused.err;
  EXPECT_NE(refused.err.find("not graded: tiled_matmul of bob"), std::string::npos) << refused.err;
  auto lines = ReadCsv();
  EXPECT_EQ(lines.at("bob").at("Points"), "not graded");
  EXPECT_EQ(lines.at("bob").at(kTiled), "not graded");
  EXPECT_FALSE(fs::exists(Out() / "gradescope" / "bob"));

  const ProgramRun again = Grade();
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_NE(again.out.find("0 graded before, 2 to grade"), std::string::npos) << again.out;
  lines = ReadCsv();
  EXPECT_EQ(lines.at("ada").at("Points"), "10");
  EXPECT_EQ(lines.at("bob").at("Points"), "10");
  EXPECT_TRUE(fs::exists(Out() / "gradescope" / "bob" / "results.json"));
}

TEST_F(GradeTest, OnACardSpeedCounts) {
  if (const std::string why = WhyNoCard(); !why.empty()) GTEST_SKIP() << why;
  HandIn("ada/tiled_matmul.cu", Solution(kTiled));
  const ProgramRun run = Grade({"--device", "gpu"}, OnACard());
  ASSERT_EQ(run.status, 0) << run.err;
  std::string report;
  for (const auto& entry : fs::recursive_directory_iterator(Out() / "report")) {
    if (entry.path().extension() == ".html") report += ReadText(entry.path());
  }
  EXPECT_NE(report.find("Speedup over the baseline"), std::string::npos);
  EXPECT_NE(report.find("Points for speed"), std::string::npos);
}

TEST_F(GradeTest, ASecondGraderIsSentAway) {
  RUN_ONE_IN(3);
  HandIn("ada/tiled_matmul.cu", "");
  fs::create_directories(Out());
  const auto lock = ClassLock::Take(Out());
  ASSERT_TRUE(lock.ok());
  const ProgramRun run = Grade();
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find(" grade` is writing to"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("Wait until it ends, or name another folder with --out."), std::string::npos)
      << run.err;
}

TEST_F(GradeTest, WrongUsageIsToldBeforeAnythingIsMade) {
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& words) {
    std::vector<std::string> command = {"grade"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const ProgramRun run = Run(command);
    EXPECT_EQ(run.status, 2) << run.out << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
  };
  expect({scratch() / "absent", "--out", Out()}, "is not a folder");
  expect({layout_.root / "chapters", "--out", Out()}, "looks like the folder of one student");
  EXPECT_FALSE(fs::exists(Out()));
  for (const char* file : {"ada/notes.txt", "bob/notes.txt"}) HandIn(file, "");
  expect({ClassFolder(), "--out", Out()}, "there is no submission in");
  expect({layout_.root, "--out", Out()}, "is a workbook");
  EXPECT_FALSE(fs::exists(Out()));
  for (const char* file : {"ada/tiled_matmul.cu", "bob/tiled_matmul.cu"}) HandIn(file, "");
  expect({scratch(), "--out", Out()}, "there is no submission in");
  expect({ClassFolder()}, "--out");
  expect({ClassFolder(), "--out", ClassFolder() / "graded"}, "where each folder is a student's");
  expect({ClassFolder(), "--out", ClassFolder()}, "where each folder is a student's");
  EXPECT_FALSE(fs::exists(ClassFolder() / "graded"));
  expect({ClassFolder(), "--out", "/dev/null/out"}, "/dev/null/out");
  expect({ClassFolder(), "--out", Out(), "--device", "virtual:abacus"}, "abacus");
  expect({ClassFolder(), "--out", Out(), "--seed", "-1"}, "seed");
  WriteText(Out("letters") / "gradebook.sqlite", "this is no gradebook, and nobody may write to it\n");
  expect({ClassFolder(), "--out", Out("letters")}, "gradebook.sqlite");
}

}  // namespace
}  // namespace warplings::cli_test
