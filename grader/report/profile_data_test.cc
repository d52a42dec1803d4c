// SPDX-License-Identifier: Apache-2.0
#include "grader/report/profile_data.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/core/layout.h"
#include "grader/timing/estimate.h"
#include "tests/support/made_up_result.h"
#include "tests/support/schema_check.h"

namespace warplings {
namespace {

using nlohmann::json;

constexpr const char* kFile = "/submission/k.cu";

const DeviceProfile& Card() {
  return *FindDeviceProfile("a100");
}

AccessSample Sample(int line) {
  AccessSample sample;
  sample.where = {kFile, line};
  sample.opcode = "ld.global.f32";
  sample.object = "M";
  sample.object_bytes = 12;
  sample.lanes = 1;
  sample.bytes = 4;
  sample.offsets = {12};
  sample.sectors = 1;
  return sample;
}

/// Line 2 loads 8 sectors in 2 requests; line 3 has 6 conflicts in 4 requests, with half of the lanes; a
/// header has 10 instructions.
LaunchRecord Launch() {
  LaunchRecord launch;
  launch.kernel = "k";
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  launch.registers = 40;
  launch.static_shared_bytes = 1024;
  launch.completed = true;
  launch.blocks_per_sm = 6;
  launch.occupancy = 0.75;
  const Counts loads{
      .warp_instructions = 2, .thread_instructions = 64, .global_load_requests = 2, .global_load_sectors = 8};
  const Counts stores{.warp_instructions = 4,
                      .thread_instructions = 64,
                      .shared_store_requests = 4,
                      .shared_store_wavefronts = 10,
                      .shared_store_conflicts = 6};
  const Counts header{.warp_instructions = 10, .thread_instructions = 320};
  launch.lines = {{{"/usr/include/cuda.h", 2}, header}, {{kFile, 2}, loads}, {{kFile, 3}, stores}};
  for (const LineCounts& line : launch.lines) launch.totals += line.counts;
  launch.accesses = {{Sample(2), Sample(3)}};
  launch.accesses->push_back(Sample(2));
  launch.accesses->back().where.file = "/usr/include/cuda.h";
  return launch;
}

ExerciseResult AResult() {
  ExerciseResult result;
  result.exercise = "k";
  result.file = "k.cu";
  result.source = "one\ntwo <script>\nthree\n";
  result.verdict = Verdict::kWrongResult;
  TestResult passed;
  passed.name = "K.First";
  passed.verdict = Verdict::kPassed;
  passed.launches = {Launch()};
  TestResult failed = passed;
  failed.name = "K.Second";
  failed.verdict = Verdict::kWrongResult;
  failed.launches = {Launch(), Launch()};
  failed.output_map = OutputMap{"P", 2, 0, ".w", {"1"}, {"2"}};
  Finding finding;
  finding.where = {kFile, 3};
  finding.message = "reads past the end of M";
  failed.findings = {finding};
  failed.explanation = Explanation{"n = 2", {}, {"A fact."}, {}};
  result.tests = {passed, failed};
  return result;
}

json DataOf(const ExerciseResult& result, std::size_t test, std::vector<ProfiledRun> beside = {}) {
  const ProfileSource source{.result = &result, .card = &Card(), .test = test, .beside = std::move(beside)};
  return json::parse(ProfileData(source));
}

std::string Faults(const json& data) {
  std::ifstream stream(ThisLayout().root / "docs" / "profile_page.schema.json");
  return report_test::SchemaFaults(json::parse(stream), data);
}

TEST(ProfileData, IsAsTheSchemaSays) {
  const ExerciseResult result = AResult();
  EXPECT_EQ(Faults(DataOf(result, 0)), "");
  EXPECT_EQ(Faults(DataOf(result, 1, {{"previous", ProfileFigures(result.tests, Card())}})), "");
  EXPECT_EQ(Faults(DataOf(result, 2)), "") << "no test that launched a kernel";
  EXPECT_EQ(Faults(DataOf(ExerciseResult{}, 0)), "") << "what does not compile";
}

TEST(ProfileData, TheSchemaRefusesSomething) {
  json data = DataOf(AResult(), 1);
  data["test"]["lines"][1].erase("conflicts");
  data["test"]["launches"][0]["occupancy"]["share"] = "all";
  data["extra"] = 1;
  EXPECT_EQ(Faults(data),
            ": has a key that the schema does not describe: extra\n"
            "/test/launches/0/occupancy/share: is no number\n"
            "/test/lines/1: lacks conflicts\n");
}

TEST(ProfileData, TheFirstAdviceIsInTheTerminalsWordsWithItsLines) {
  ExerciseResult result = AResult();
  result.misconceptions = {{"m", "N is indexed with the wrong row length", "Which is it?", ""}};
  Misconception& advice = result.misconceptions.front();
  advice.evidence = "n = 2: N is read as if its rows had k elements";
  Finding finding = result.tests[1].findings.front();
  finding.count = 3;
  result.tests[1].findings = {finding};
  result.advice = Advice{.misconception = "m", .test = "K.Second", .finding = finding};
  const json data = DataOf(result, 0);
  EXPECT_EQ(Faults(data), "");
  EXPECT_EQ(data["advised"]["lines"], json::array({3}));
  EXPECT_EQ(data["error_elsewhere"]["name"], "K.Second") << "K.First has none";
  EXPECT_EQ(DataOf(result, 1)["error_elsewhere"], nullptr);
  EXPECT_EQ(data["misconceptions"][0]["title"], "N is indexed with the wrong row length");
  advice.fact_first = true;
  EXPECT_EQ(DataOf(result, 0)["misconceptions"][0]["title"],
            "n = 2: N is read as if its rows had k elements");
}

TEST(ProfileData, CountsByLineAreThoseOfAllLaunches) {
  const json lines = DataOf(AResult(), 1)["test"]["lines"];
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["line"], 0) << "headers have no line of the student's";
  EXPECT_EQ(lines[0]["executed"], 20);
  EXPECT_EQ(lines[1]["line"], 2);
  EXPECT_EQ(lines[1]["executed"], 4);
  EXPECT_EQ(lines[1]["active_lanes"], 32.0);
  EXPECT_EQ(lines[1]["sectors_per_request"], 4.0);
  EXPECT_TRUE(lines[1]["conflicts_per_request"].is_null()) << "it has no request to shared memory";
  EXPECT_EQ(lines[2]["active_lanes"], 16.0);
  EXPECT_EQ(lines[2]["conflicts"], 12);
  EXPECT_EQ(lines[2]["conflicts_per_request"], 1.5);
}

/// A branch that no lane takes is executed by all of them.
TEST(ProfileData, ABranchThatNobodyTakesLeavesNoLaneIdle) {
  ExerciseResult result = AResult();
  for (LineCounts& line : result.tests[0].launches[0].lines) {
    if (line.where.line != 2) continue;
    line.counts.warp_instructions += 1;
    line.counts.conditional_branches = 1;
  }
  const json lines = DataOf(result, 0)["test"]["lines"];
  EXPECT_EQ(lines[1]["active_lanes"], 32.0);
  EXPECT_EQ(lines[1]["executed"], 3);
  EXPECT_EQ(lines[2]["active_lanes"], 16.0) << "lanes that are idle still are";
}

TEST(ProfileData, LaunchesOfOneShapeAreShownOnce) {
  const json launches = DataOf(AResult(), 1)["test"]["launches"];
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0]["times"], 2);
  EXPECT_EQ(launches[0]["totals"]["warp_instructions"], 32);
  EXPECT_TRUE(launches[0]["seconds"].is_null()) << "nothing says what work they were";
}

/// 256 threads with 40 registers on an A100: 8 warps of 1,280 registers are 10,240 of 65,536, so 6 blocks;
/// 65,536 registers are enough for 2,048 threads with 32 each.
TEST(ProfileData, OccupancySaysWhatLimitsItAndWhatWouldChangeIt) {
  const json occupancy = DataOf(AResult(), 0)["test"]["launches"][0]["occupancy"];
  EXPECT_EQ(occupancy["blocks"], 6);
  EXPECT_EQ(occupancy["share"], 0.75);
  EXPECT_EQ(occupancy["limits"], json({"registers"}));
  ASSERT_FALSE(occupancy["changes"].empty());
  const json& change = occupancy["changes"][0];
  EXPECT_EQ(change["what"], "registers");
  EXPECT_EQ(change["from"], 40);
  EXPECT_GE(change["to"], 32);
  EXPECT_LT(change["to"], 40);
  EXPECT_GT(change["occupancy"], 0.75);
  for (const json& each : occupancy["changes"]) EXPECT_NE(each["what"], "shared") << "it limits nothing";
}

TEST(ProfileData, AccessesAreThoseOfTheStudentsFile) {
  const json accesses = DataOf(AResult(), 1)["test"]["accesses"];
  ASSERT_EQ(accesses.size(), 4u) << "two of each launch; the header's is left out";
  EXPECT_EQ(accesses[0]["line"], 2);
  EXPECT_EQ(accesses[0]["launch"], 0);
  EXPECT_EQ(accesses[2]["launch"], 1);
  EXPECT_EQ(accesses[0]["offsets"], json({12}));
}

TEST(ProfileData, ShowsTheFirstFailedTestElseTheLargest) {
  ExerciseResult result = AResult();
  EXPECT_EQ(TestToProfile(result.tests), 1u);
  // Values are right, and a limit is exceeded: it is the largest that shows what that costs.
  for (TestResult& test : result.tests) {
    test.verdict = Verdict::kWrongResult;
    test.element_count = 10;
  }
  EXPECT_EQ(TestToProfile(result.tests), 1u) << "it has two launches";
  result.tests[1].verdict = Verdict::kPassed;
  EXPECT_EQ(TestToProfile(result.tests), 0u) << "a smaller one, but it exceeds the limit";
  result.tests[0].wrong_count = 1;
  result.tests[1].verdict = Verdict::kWrongResult;
  EXPECT_EQ(TestToProfile(result.tests), 0u) << "a wrong value comes first";
  for (TestResult& test : result.tests) test.verdict = Verdict::kPassed;
  EXPECT_EQ(TestToProfile(result.tests), 1u) << "it has two launches";
  result.tests[1].launches.resize(1);
  EXPECT_EQ(TestToProfile(result.tests), 0u) << "the first of equals";
  for (TestResult& test : result.tests) test.launches.clear();
  EXPECT_EQ(TestToProfile(result.tests), std::nullopt);
}

TEST(ProfileData, OtherRunsAreOfTheSameTest) {
  const ExerciseResult result = AResult();
  const std::vector<TestResult> first = {result.tests[0]};
  const std::string figures = ProfileFigures(first, Card());
  EXPECT_EQ(DataOf(result, 0, {{"baseline", figures}})["beside"][0]["figures"]["sectors"], 8);
  EXPECT_TRUE(DataOf(result, 1, {{"baseline", figures}})["beside"].empty()) << "it has not run that test";
  EXPECT_TRUE(DataOf(result, 0, {{"previous", "no JSON"}})["beside"].empty());
}

TEST(ProfileData, SaysThatThePreviousVersionWasNotCounted) {
  const ExerciseResult result = AResult();
  ProfileSource source{.result = &result, .card = &Card(), .beside = {}};
  const auto is_left_out = [&source] { return json::parse(ProfileData(source))["previous_left_out"]; };
  EXPECT_EQ(is_left_out(), false) << "there was none";
  source.has_previous = true;
  EXPECT_EQ(is_left_out(), true);
  source.beside = {{"baseline", ProfileFigures(result.tests, Card())}};
  EXPECT_EQ(is_left_out(), true);
  source.beside = {{"previous", ProfileFigures(result.tests, Card())}};
  EXPECT_EQ(is_left_out(), false);
}

/// A result whose speed was estimated, with what was counted for that.
ExerciseResult AnEstimatedResult() {
  ExerciseResult result = AResult();
  result.speed = report_test::MadeUpEstimate();
  LaunchRecord launch = Launch();
  launch.work = LaunchWork{.warps = 32, .issue_slots = 32, .load_lines = 1'000'000};
  launch.sampled_blocks = 2;
  result.speed->estimate->submission.launches = {{launch}};
  result.speed->estimate->baseline.launches = {{launch, launch}};
  return result;
}

TEST(ProfileData, TheCallThatIsTimedIsShownInsteadOfATest) {
  const ExerciseResult result = AnEstimatedResult();
  const auto call = TimedCallOf(result.speed, &SpeedEstimate::submission);
  const auto baseline = TimedCallOf(result.speed, &SpeedEstimate::baseline);
  ASSERT_TRUE(call && baseline);
  const ProfileSource source{.result = &result,
                             .card = &Card(),
                             .test = 1,
                             .timed_call = call,
                             .beside = {{"baseline", ProfileFigures({*baseline}, Card())}}};
  const json data = json::parse(ProfileData(source));
  EXPECT_EQ(Faults(data), "");
  EXPECT_EQ(data["test"]["title"], "width 1024");
  EXPECT_EQ(data["test"]["is_timed_call"], true);
  EXPECT_EQ(data["test"]["is_sample"], true);
  EXPECT_EQ(data["test"]["figures"]["sectors"], 8);
  EXPECT_EQ(data["beside"][0]["figures"]["sectors"], 16);
  EXPECT_EQ(data["tests"].size(), 2u) << "the call is no test";
  EXPECT_FALSE(data["speed"]["estimate"]["submission"].contains("launches"));
}

/// Registers and occupancy are those of the kernel whose time the bound explains, which need not execute
/// most.
TEST(ProfileData, FiguresOfOneLaunchAreThoseOfTheLongest) {
  ExerciseResult result = AnEstimatedResult();
  LaunchRecord busy = result.speed->estimate->submission.launches->at(0), slow = busy;
  busy.totals.warp_instructions = 1000;
  slow.kernel = "slow";
  slow.registers = 77;
  slow.occupancy = 0.5;
  slow.work->load_lines *= 50;
  result.speed->estimate->submission.launches = std::vector<LaunchRecord>{busy, slow};
  auto call = TimedCallOf(result.speed, &SpeedEstimate::submission);
  const json figures = json::parse(ProfileFigures({*call}, Card()))[kTimedCall];
  EXPECT_EQ(figures["kernel"], "slow");
  EXPECT_EQ(figures["registers"], 77);
  EXPECT_EQ(figures["occupancy"], 0.5);
  call->launches[0].work.reset();
  const json unknown = json::parse(ProfileFigures({*call}, Card()))[kTimedCall];
  EXPECT_EQ(unknown["kernel"], "k") << "without times, the one that executes most";
  const ProfileSource source{.result = &result,
                             .card = &Card(),
                             .test = 1,
                             .timed_call = TimedCallOf(result.speed, &SpeedEstimate::submission),
                             .beside = {}};
  const json data = json::parse(ProfileData(source));
  EXPECT_EQ(Faults(data), "");
  EXPECT_EQ(data["test"]["launches"][1]["waits"].size(), 4u);
}

TEST(ProfileData, WithoutWhatWasCountedThereIsNoSuchCall) {
  EXPECT_FALSE(TimedCallOf(std::nullopt, &SpeedEstimate::submission));
  EXPECT_FALSE(TimedCallOf(SpeedResult{}, &SpeedEstimate::submission));
  EXPECT_FALSE(TimedCallOf(report_test::MadeUpEstimate(), &SpeedEstimate::submission));
}

/// By the model of the estimate: the same bound, and parts that the page puts together as it does.
TEST(ProfileData, FiguresSayWhatTheTimeGoesTo) {
  const ExerciseResult result = AnEstimatedResult();
  const auto call = TimedCallOf(result.speed, &SpeedEstimate::baseline);
  const json figures = json::parse(ProfileFigures({*call}, Card()))[kTimedCall];
  const LaunchRecord& launch = call->launches[0];
  const timing::Estimate estimate = timing::EstimateLaunch(launch, *launch.work, Card());
  EXPECT_EQ(figures["bound"], "load_store");
  EXPECT_EQ(figures["bound_words"], "shared memory and L1");
  EXPECT_EQ(figures["kernel"], "k");
  EXPECT_DOUBLE_EQ(figures["seconds"], 2 * estimate.seconds);
  EXPECT_DOUBLE_EQ(figures["parts"]["lines"], 2 * estimate.lines);
  EXPECT_DOUBLE_EQ(figures["parts"]["shared"], 2 * (estimate.load_store - estimate.lines));
  EXPECT_TRUE(json::parse(ProfileFigures(result.tests, Card()))["K.First"]["bound"].is_null())
      << "nothing says what work it was";
}

}  // namespace
}  // namespace warplings
