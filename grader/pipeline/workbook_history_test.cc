// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/workbook_history.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "grader/messages/judging.h"

namespace warplings {
namespace {

Exercise TiledProduct() {
  Exercise exercise;
  exercise.hints = {"Take a pencil and draw the matrices.", "Each load needs a check of row and column.",
                    "Barriers are for everybody: every thread of a block reaches both __syncthreads()."};
  exercise.misconceptions.push_back(
      {"barrier_inside_guard", "A barrier that only some threads reach",
       "__syncthreads() waits for all threads of the block, and everybody must reach both barriers."});
  exercise.misconceptions.push_back({"unrelated", "Something else", "Nothing in common."});
  return exercise;
}

TEST(NextHint, GoesFromStageToStage) {
  ExerciseHistory history;
  EXPECT_EQ(NextHint(TiledProduct(), history), 0u);
  history.hints = {0};
  EXPECT_EQ(NextHint(TiledProduct(), history), 1u);
  history.hints = {0, 1, 2};
  EXPECT_EQ(NextHint(TiledProduct(), history), std::nullopt);
}

TEST(NextHint, BeginsWithTheOneThatFitsTheMisconception) {
  ExerciseHistory history;
  history.misconception = "barrier_inside_guard";
  EXPECT_EQ(NextHint(TiledProduct(), history), 2u);
  history.hints = {2};
  EXPECT_EQ(NextHint(TiledProduct(), history), 0u) << "it was shown";
  history.hints.clear();
  history.hinted_for = history.misconception;
  EXPECT_EQ(NextHint(TiledProduct(), history), 0u) << "once for each misconception";
  for (const char* other : {"unrelated", "no_such_misconception", ""}) {
    history.misconception = other;
    EXPECT_EQ(NextHint(TiledProduct(), history), 0u) << other;
  }
}

TEST(WorkbookHistory, KeepsNoMisconceptionOfWhoHasStoredNothingYet) {
  ExerciseResult result;
  result.chapter = "01_a";
  result.exercise = "b";
  result.verdict = Verdict::kWrongResult;
  result.misconceptions.push_back({"idea", "", "", ""});
  TestResult& test = result.tests.emplace_back();
  test.verdict = Verdict::kWrongResult;
  test.wrong = {{"P[0]", "1", "0", say::never_written()}};
  test.wrong_count = 3;
  const auto misconception = [&](std::uint64_t elements) {
    result.tests[0].element_count = elements;
    WorkbookHistory state;
    NoteCheck(state, result);
    return state.exercises["01_a/b"].misconception;
  };
  EXPECT_EQ(misconception(3), "");
  EXPECT_EQ(misconception(4), "idea") << "one element is right";
  result.tests[0].wrong[0].note = {};
  EXPECT_EQ(misconception(3), "idea") << "another value";
}

TEST(WorkbookHistory, IsKeptAndCountsFailuresUntilAPass) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("desk-test-" + std::to_string(::getpid())) / "desk.json";
  WorkbookHistory state = LoadWorkbookHistory(file);
  EXPECT_TRUE(state.exercises.empty());
  ExerciseResult result;
  result.chapter = "01_a";
  result.exercise = "b";
  result.verdict = Verdict::kWrongResult;
  result.misconceptions.push_back({"idea", "", "", ""});
  NoteCheck(state, result);
  NoteCheck(state, result);
  state.exercises["01_a/b"].hints = {0, 3};
  state.drills = {"warps", "blocks"};
  ASSERT_TRUE(SaveWorkbookHistory(file, state).ok());
  state = LoadWorkbookHistory(file);
  EXPECT_EQ(state.last_checked, "01_a/b");
  EXPECT_EQ(state.exercises["01_a/b"].failed_checks, 2u);
  EXPECT_EQ(state.exercises["01_a/b"].misconception, "idea");
  EXPECT_EQ(state.exercises["01_a/b"].hints, (std::set<std::size_t>{0, 3}));
  EXPECT_EQ(state.drills, (std::set<std::string>{"warps", "blocks"}));

  result.verdict = Verdict::kGraderFault;
  NoteCheck(state, result);
  EXPECT_EQ(state.exercises["01_a/b"].failed_checks, 2u) << "our fault, not the student's";
  result.verdict = Verdict::kPassed;
  NoteCheck(state, result);
  EXPECT_EQ(state.exercises["01_a/b"].failed_checks, 0u);

  for (const char* damaged : {"", "{", "[]", "{\"exercises\": 3}", "{\"drills\": {\"a\": 3}}",
                              "{\"drills\": [3, null]}", "{\"exercises\": {\"a\": [1]}}",
                              "{\"exercises\": {\"a\": {\"hints\": [-1, \"x\"], \"failed_checks\": -3}}}"}) {
    std::ofstream(file) << damaged;
    EXPECT_TRUE(LoadWorkbookHistory(file).exercises["a"].hints.empty()) << damaged;
  }
  std::filesystem::remove_all(file.parent_path());
}

TEST(WorkbookHistory, EachWorkbookHasItsOwn) {
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_NE(WorkbookHistoryFile("/a"), WorkbookHistoryFile("/b"));
  EXPECT_EQ(WorkbookHistoryFile("/a"), WorkbookHistoryFile("/b/../a"));
  EXPECT_EQ(WorkbookHistoryFile("/a").parent_path(), "/somewhere/warplings");
  ::unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace warplings
