// SPDX-License-Identifier: Apache-2.0
// What the workbook promises, seen from outside: starters fail as declared, solutions pass clean, and
// each mutant is told apart from the others.
#include <algorithm>
#include <cstdio>

#include "grader/exercise/exercise.h"
#include "grader/report/text.h"
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

std::vector<Exercise> AllExercises() {
  std::vector<Exercise> all;
  const Result<Workbook> workbook = LoadWorkbook(ThisLayout().root);
  if (!workbook) return all;
  for (const Chapter& chapter : workbook->chapters) {
    all.insert(all.end(), chapter.exercises.begin(), chapter.exercises.end());
  }
  return all;
}

std::string FullName(const Exercise& exercise) {
  return exercise.chapter + "/" + exercise.id;
}

/// A parameter's name may hold letters, digits and underscores.
std::string TestName(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
}

class ExerciseTest : public CliFixture, public testing::WithParamInterface<Exercise> {};

TEST_P(ExerciseTest, SolutionPassesWithoutAFinding) {
  const CheckRun run = Check({FullName(GetParam()), "--solution"});
  EXPECT_EQ(run.program.status, 0) << run.program.out << run.program.err;
  const ExerciseResult& result = run.Only();
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  EXPECT_EQ(Joined(FailedTests(result)), "-");
  EXPECT_EQ(Joined(MisconceptionIds(result)), "-");
  EXPECT_EQ(result.points, result.max_points);
  std::uint64_t instructions = 0;
  for (const TestResult& test : result.tests) {
    EXPECT_TRUE(test.findings.empty()) << test.name << ": " << test.findings.front().message;
    for (const LaunchRecord& launch : test.launches) instructions += launch.totals.thread_instructions;
  }
  EXPECT_GT(instructions, 0u);
  ASSERT_FALSE(result.resources.empty());
  EXPECT_GT(result.resources.front().registers, 0u);
}

TEST_P(ExerciseTest, StarterFailsAsDeclaredAndSaysWhatToDoFirst) {
  const CheckRun run = Check({FullName(GetParam())});
  EXPECT_EQ(run.program.status, 1) << run.program.out << run.program.err;
  EXPECT_EQ(FailedTests(run.Only()), GetParam().starter_fails);
  EXPECT_NE(run.program.out.find("Do this first"), std::string::npos) << run.program.out;
}

TEST_P(ExerciseTest, ASeedRepeatsARun) {
  const CheckRun first = Check({FullName(GetParam())});
  const std::string seed = std::to_string(first.Only().seed);
  const CheckRun second = Check({FullName(GetParam()), "--seed", seed});
  ASSERT_EQ(first.Only().tests.size(), second.Only().tests.size());
  for (std::size_t i = 0; i < first.Only().tests.size(); ++i) {
    const TestResult &a = first.Only().tests[i], &b = second.Only().tests[i];
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.wrong_count, b.wrong_count) << a.name;
    ASSERT_EQ(a.wrong.size(), b.wrong.size()) << a.name;
    for (std::size_t j = 0; j < a.wrong.size(); ++j) EXPECT_EQ(a.wrong[j].expected, b.wrong[j].expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Workbook, ExerciseTest, testing::ValuesIn(AllExercises()),
                         [](const auto& test) { return TestName(FullName(test.param)); });

/// A wrong answer and the one misconception that its name promises.
struct Mutant {
  Exercise exercise;
  std::string misconception;
};

void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.misconception;
}

std::vector<Mutant> AllMutants() {
  std::vector<Mutant> all;
  for (const Exercise& exercise : AllExercises()) {
    for (const MisconceptionText& text : exercise.misconceptions) all.push_back({exercise, text.id});
  }
  return all;
}

class MutantTest : public CliFixture, public testing::WithParamInterface<Mutant> {
 protected:
  static void TearDownTestSuite() {
    std::printf("\nMutant, what it was taken for, and the tests that failed:\n");
    std::fputs(AlignColumns(table_, 2).c_str(), stdout);
  }
  static inline std::vector<std::vector<std::string>> table_;
};

TEST_P(MutantTest, IsKnownForWhatItIsAndForNothingElse) {
  const Mutant& mutant = GetParam();
  const std::filesystem::path file =
      layout_.Mutant(mutant.exercise.chapter, mutant.exercise.id, mutant.misconception);
  ASSERT_TRUE(std::filesystem::exists(file)) << "no mutant holds the misconception " << mutant.misconception;
  const CheckRun run = Check({FullName(mutant.exercise), "--file", file});
  const std::string known_as = Joined(MisconceptionIds(run.Only()));
  const std::vector<std::string> failed = FailedTests(run.Only());
  table_.push_back({mutant.misconception, known_as == mutant.misconception ? "" : "WRONG:", known_as,
                    Counted(failed.size(), "test"), failed.empty() ? "-" : failed.front() + " first"});
  EXPECT_EQ(run.program.status, 1) << run.program.out << run.program.err;
  EXPECT_EQ(known_as, mutant.misconception) << run.program.out;
  EXPECT_FALSE(failed.empty()) << "no named test kills it";
}

INSTANTIATE_TEST_SUITE_P(Workbook, MutantTest, testing::ValuesIn(AllMutants()), [](const auto& test) {
  return TestName(FullName(test.param.exercise) + "_" + test.param.misconception);
});

TEST(Mutants, EachFileBelongsToAMisconception) {
  std::vector<std::filesystem::path> expected;
  for (const Mutant& mutant : AllMutants()) {
    expected.push_back(
        ThisLayout().Mutant(mutant.exercise.chapter, mutant.exercise.id, mutant.misconception));
  }
  ASSERT_FALSE(expected.empty());
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ThisLayout().root / "tests" / "mutants")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_NE(std::find(expected.begin(), expected.end(), entry.path()), expected.end())
        << entry.path() << " names no misconception of a chapter.toml";
  }
}

}  // namespace
}  // namespace warplings::cli_test
