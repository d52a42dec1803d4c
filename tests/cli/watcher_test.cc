// SPDX-License-Identifier: Apache-2.0
// Tests checks on a card that a virtual GPU watches; a second virtual GPU plays the part of the card.
#include "grader/pipeline/check_exercise.h"
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

class WatcherTest : public CliFixture {
 protected:
  /// On an RTX 3060 that an A100 watches. Both run the same code, and a kernel's occupancy tells them apart.
  ExerciseResult CheckWatched(const std::string& name, const std::filesystem::path& file) {
    const Result<Workbook> workbook = LoadWorkbook(layout_.root);
    const auto exercises = SelectExercises(*workbook, name);
    Submission submission;
    submission.exercise = exercises->at(0);
    submission.file = file.empty() ? submission.exercise->solution : file;
    submission.source = ReadText(submission.file);
    CheckSettings settings;
    settings.device = {
        .spec = "virtual:rtx3060", .name = "card", .sm = 80, .watcher = "virtual:a100", .note = {}};
    settings.seed = 1;
    const CheckListener listener{.on_stage = [](const Message&) {}, .on_test = {}};
    const auto result = CheckExercise(submission, settings, layout_, listener);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return *result;
  }
};

TEST_F(WatcherTest, TheCardsResultsAreComparedAndTheWatchersCountsAreKept) {
  const ExerciseResult result = CheckWatched("tiled_matmul", {});
  EXPECT_EQ(result.verdict, Verdict::kPassed) << result.reason;
  EXPECT_EQ(result.device, "card");
  for (const TestResult& test : result.tests) {
    for (const LaunchRecord& launch : test.launches) {
      EXPECT_EQ(launch.blocks_per_sm, 8u) << "2048 threads on an SM of the A100, 1536 on one of the RTX 3060";
      EXPECT_GT(launch.totals.warp_instructions, 0u);
    }
  }
}

/// It calls its function many times and keeps the answers: made twice, they must not be counted twice.
TEST_F(WatcherTest, HostFunctionsAreAskedOnBothSides) {
  for (const char* name : {"bank_of", "conflict_degree", "out_of_range_loads", "occupancy", "pick_device"}) {
    const ExerciseResult result = CheckWatched(name, {});
    EXPECT_EQ(result.verdict, Verdict::kPassed) << name << ": " << result.reason;
  }
}

TEST_F(WatcherTest, WhatItFindsIsToldAndNamed) {
  const ExerciseResult result = CheckWatched(
      "tiled_matmul", layout_.MutantFolder("01_boundary_checks") / "tiled_matmul.second_barrier_missing.cu");
  EXPECT_EQ(result.verdict, Verdict::kFinding);
  EXPECT_EQ(MisconceptionIds(result), std::vector<std::string>{"second_barrier_missing"});
}

}  // namespace
}  // namespace warplings::cli_test
