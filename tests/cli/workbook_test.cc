// SPDX-License-Identifier: Apache-2.0
// What the workbook promises, seen from outside: `verify` holds, and says what does not; a seed repeats a
// run.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "grader/workbook/exercise.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

class WorkbookTest : public CliFixture {};
class WorkbookSample : public CliFixture {};
class Chapter7Sample : public CliFixture {};

/// Starters fail as declared, solutions pass clean on every profile, and one mutant and one other right
/// answer of each exercise do as they must. Each commit draws anew which, and which exercises. The test
/// `verify` takes all of them.
TEST_F(WorkbookSample, IsAsItPromises) {
  const auto workbook = LoadWorkbook(layout_.root);
  ASSERT_TRUE(workbook.ok());
  std::vector<std::string> exercises;
  for (const Chapter& chapter : workbook->chapters) {
    for (const Exercise& exercise : chapter.exercises) exercises.push_back(exercise.id);
  }
  std::vector<std::string> verify = {"verify"};
  std::ranges::move(DrawnByTheCommit(std::move(exercises), OneIn(5, 2)), std::back_inserter(verify));
  verify.insert(verify.end(), {"--sample", "1", "--drawn-by", Commit()});
  const ProgramRun run = Run(verify, {.time_limit = std::chrono::minutes(10)});
  std::fputs(run.out.c_str(), stdout);
  EXPECT_EQ(run.status, 0) << run.err;
}

/// Chapter 7's long inputs make a run of its exercises three times as slow as one of others. So `selftest
/// --all` draws two mutants and two alternatives of each; `verify_all` takes all of them (selftest
/// --nightly).
TEST_F(Chapter7Sample, IsAsItPromises) {
  const ProgramRun run = Run(
      {"verify", "stencil", "convolution", "scan", "merge_tiles", "--sample", "2", "--drawn-by", Commit()},
      {.time_limit = std::chrono::minutes(20)});
  std::fputs(run.out.c_str(), stdout);
  EXPECT_EQ(run.status, 0) << run.err;
}

/// Without other right answers there would be none to draw.
TEST_F(WorkbookTest, EachExerciseHasOtherRightAnswers) {
  RUN_ONE_IN(3);
  std::map<std::string, int> alternatives;
  for (const auto& entry : std::filesystem::directory_iterator(layout_.root / "tests/alternatives")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".cu")) ++alternatives[name.substr(0, name.find('.'))];
  }
  const auto workbook = LoadWorkbook(layout_.root);
  ASSERT_TRUE(workbook.ok());
  std::size_t exercises = 0;
  for (const Chapter& chapter : workbook->chapters) {
    for (const Exercise& exercise : chapter.exercises) EXPECT_GE(alternatives[exercise.id], 4) << exercise.id;
    exercises += chapter.exercises.size();
  }
  EXPECT_EQ(alternatives.size(), exercises) << "of an exercise that is not there";
}

/// A damaged workbook: one test too many in starter_fails, a mutant under the name of another misconception,
/// a file that nobody owns.
TEST_F(WorkbookTest, VerifyNamesWhatIsNotAsItMustBe) {
  RUN_ONE_IN(3);
  const std::filesystem::path copy = CopyWorkbook();
  for (const char* room : {"solutions", "tests/mutants"}) {
    std::filesystem::create_directories(copy / room);
    std::filesystem::copy(layout_.root / room, copy / room, std::filesystem::copy_options::recursive);
  }
  const std::filesystem::path chapter = copy / "chapters" / "01_boundary_checks";
  std::string text = ReadText(chapter / "chapter.toml");
  const std::string first = "\"TiledMatmul.OneThreadOf256HasWork\",";
  ASSERT_NE(text.find(first), std::string::npos);
  text.insert(text.find(first), "\"TiledMatmul.WidthOfExactlyOneTile\",");
  std::ofstream(chapter / "chapter.toml") << text;
  std::ofstream(chapter / "notes.txt") << "remember";
  const std::filesystem::path mutants = copy / "tests" / "mutants" / "01_boundary_checks";
  std::filesystem::copy_file(mutants / "tiled_matmul.untiled.cu",
                             mutants / "tiled_matmul.early_return.again.cu");

  const ProgramRun run =
      Run({"verify", "tiled_matmul", "--workbook", copy}, {.time_limit = std::chrono::minutes(5)});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_NE(run.out.find("starter: it passes tests that it is to fail: TiledMatmul.WidthOfExactlyOneTile"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("it is taken for untiled"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("FAIL  chapters/01_boundary_checks/notes.txt belongs to no exercise"),
            std::string::npos)
      << run.out;
}

/// Of the grading page, what all exercises with a kernel share.
std::string SharedGradingPage(const Layout& layout) {
  const std::string page = ReadText(layout.root / "chapters/grading.md");
  return page.substr(0, page.find("## Exercises that move elements"));
}

/// What `new` lays out is a whole exercise: verify has nothing against it, and a second `new` writes nothing.
TEST_F(WorkbookTest, ANewExerciseIsComplete) {
  RUN_ONE_IN(6);
  const std::filesystem::path tree = scratch() / "tree";
  WriteText(tree / "chapters/grading.md", SharedGradingPage(layout_));
  const std::vector<std::string> command = {"new", "99_template/example", "--workbook", tree};
  EXPECT_EQ(Run(command).status, 0);
  const ProgramRun verified = Run({"verify", "--workbook", tree}, {.time_limit = std::chrono::minutes(5)});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("3 mutants: 3 killed, 3 named"), std::string::npos) << verified.out;
  // How large a test may be is seen before one is too large.
  EXPECT_NE(verified.out.find("note: the solution's largest test, Example.AnySize, executes "),
            std::string::npos)
      << verified.out;

  const ProgramRun again = Run(command);
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("chapters/99_template/example.cu already exists"), std::string::npos) << again.err;
  const ProgramRun elsewhere = Run({"new", "98_other/example", "--workbook", tree});
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_NE(elsewhere.err.find("chapter 99_template already has an exercise example"), std::string::npos)
      << elsewhere.err;
  const ProgramRun taken = Run({"new", "99_other/example", "--workbook", tree});
  EXPECT_EQ(taken.status, 2);
  EXPECT_NE(taken.err.find("chapter 99 already exists: 99_template"), std::string::npos) << taken.err;
  for (const char* name :
       {"example", "99_template", "9_template/example", "99_template/Example", "99_a/../b", ""}) {
    EXPECT_EQ(Run({"new", name, "--workbook", tree}).status, 2) << name;
  }
}

TEST_F(WorkbookTest, ASeedRepeatsARun) {
  RUN_ONE_IN(3);
  const CheckRun first = Check({"tiled_matmul"});
  const std::string seed = std::to_string(first.Only().seed);
  const CheckRun second = Check({"tiled_matmul", "--seed", seed});
  ASSERT_EQ(first.Only().tests.size(), second.Only().tests.size());
  for (std::size_t i = 0; i < first.Only().tests.size(); ++i) {
    const TestResult &a = first.Only().tests[i], &b = second.Only().tests[i];
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.wrong_count, b.wrong_count) << a.name;
    ASSERT_EQ(a.wrong.size(), b.wrong.size()) << a.name;
    for (std::size_t j = 0; j < a.wrong.size(); ++j) EXPECT_EQ(a.wrong[j].expected, b.wrong[j].expected);
  }
}

}  // namespace
}  // namespace warplings::cli_test
