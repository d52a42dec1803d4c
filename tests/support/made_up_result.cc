// SPDX-License-Identifier: Apache-2.0
#include "tests/support/made_up_result.h"

#include "grader/advice/advise.h"
#include "grader/messages/findings.h"

namespace warplings::report_test {
namespace {

constexpr const char* kFile = "/submission/scale.cu";

Finding OutOfBounds(std::uint64_t count) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.kernel = "scale_kernel";
  finding.thread = {3, 0, 0};
  finding.where = {kFile, 2};
  finding.space = MemorySpace::kGlobal;
  finding.access = Access::kRead;
  finding.object = "x";
  finding.object_bytes = 12;
  finding.offset_bytes = 12;
  finding.access_bytes = 4;
  finding.message = Message("made_up", "reads past the end of {1}", {AsArgument(finding.object)});
  finding.count = count;
  return finding;
}

Finding Race() {
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.severity = Severity::kWarning;
  finding.kernel = "scale_kernel";
  finding.where = {kFile, 3};
  finding.other = SourceLine{kFile, 2};
  finding.space = MemorySpace::kShared;
  finding.object = say::shared_array("tile");
  finding.message = "two threads meet at the same place and nothing orders them";
  return finding;
}

LaunchRecord Launch() {
  LaunchRecord launch;
  launch.kernel = "scale_kernel";
  launch.grid = {2, 2, 1};
  launch.block = {16, 16, 1};
  launch.registers = 32;
  launch.blocks_per_sm = 8;
  launch.occupancy = 1;
  launch.completed = true;
  launch.totals.warp_instructions = 1200;
  launch.totals.thread_instructions = 38400;
  launch.totals.global_load_requests = 64;
  launch.totals.global_load_sectors = 256;
  launch.totals.shared_load_requests = 512;
  launch.totals.shared_load_wavefronts = 768;
  launch.totals.shared_load_conflicts = 256;
  launch.lines = {{{kFile, 2}, launch.totals}};
  return launch;
}

TestResult Passed() {
  TestResult test;
  test.name = "Scale.One";
  test.title = "one element";
  test.verdict = Verdict::kPassed;
  return test;
}

TestResult Wrong() {
  TestResult test;
  test.name = "Scale.Three";
  test.title = "three elements";
  test.verdict = Verdict::kFinding;
  test.reason = "the kernel read memory that is not its own";
  test.next_step = "Check the index before the load.";
  test.wrong_count = 5;
  test.element_count = 9;
  test.wrong = {{"y[1]", "2.5", "0", "never written"}, {"y[2]", "-11.25", "nan", ""}};
  test.explanation = {"5 elements",
                      {{"y[1]", true, {{2, {"x[0]"}}, {-1, {"x[3]"}}, {7, {}}}, {{1, {"x[1]"}}}}},
                      {"x is read one place too early."},
                      {}};
  test.printed = PrintedText{"hello\n", 0, 0};
  test.findings = {OutOfBounds(12), Race()};
  test.launches = {Launch()};
  return test;
}

TestResult Crashed() {
  TestResult test;
  test.name = "Scale.Many";
  test.title = "many elements";
  test.verdict = Verdict::kCrashed;
  test.reason = "your host code crashed (segmentation fault)";
  test.findings = {OutOfBounds(30)};
  return test;
}

}  // namespace

ExerciseResult MadeUpResult() {
  ExerciseResult result;
  result.chapter = "00_made_up";
  result.exercise = "scale";
  result.title = "Scale a vector";
  result.file = "mine/scale.cu";
  result.source = "line one\n  y[i] = a * x[i];\n\ttile[j] = 0;\n";
  result.device = "virtual:a100";
  result.seed = 42;
  result.verdict = Verdict::kCrashed;
  result.diagnostics.resize(1);
  result.diagnostics[0].severity = Severity::kWarning;
  result.diagnostics[0].where = {"mine/scale.cu", 3};
  result.diagnostics[0].column = 7;
  result.diagnostics[0].message = "variable \"j\" is used before it is set";
  result.tests = {Passed(), Wrong(), Crashed()};
  result.misconceptions = {
      {"unguarded", "The load is not checked", "Draw the vector. Which cells exist?", "three elements"}};
  result.resources = {{"scale_kernel", 32, 2048, 0, 380}};
  result.compiler_output = "scale.cu(3): warning";
  result.student_output = "hello\n";
  result.max_points = 10;
  result.build_seconds = 1.5;
  result.run_seconds = 0.25;
  AdviseStored(result);
  return result;
}

SpeedResult MadeUpSpeed() {
  ShapeSpeed shape;
  shape.title = "width 2048";
  shape.flops = 2.0 * 2048 * 2048 * 2048;
  shape.bytes = 3.0 * 4 * 2048 * 2048;
  shape.limit_seconds = 0.000257;
  shape.baseline = {0.003, 0.001, 12, 0, 1980};
  shape.submission = {0.002, 0.001, 12, 1, 1980};
  shape.reference = ProgramTime{0.00196, 0.001, 12, 0, 1980};
  shape.speedup = {1.5, 1.49, 1.51};
  shape.reference_speedup = Interval{1.53, 1.52, 1.54};
  shape.over_reference = Interval{0.98, 0.97, 0.99};
  ShapeSpeed small = shape;
  small.title = "16777216 elements";
  small.flops = 16777216;
  small.bytes = 4.0 * 16777216;
  small.limit_seconds = 13.65e-6;
  small.submission = {20e-6, 0.004, 30, 0, 0};
  SpeedResult speed;
  speed.status = SpeedStatus::kMeasured;
  speed.baseline = "a naive kernel";
  speed.shapes = {shape, small};
  speed.speedup = {1.5, 1.49, 1.51};
  speed.reference_speedup = Interval{1.53, 1.52, 1.54};
  speed.over_reference = Interval{0.98, 0.97, 0.99};
  speed.graded = true;
  speed.share = 1;
  speed.max_points = 3;
  speed.seconds = 2.5;
  return speed;
}

SpeedResult MadeUpEstimate() {
  SpeedEstimate estimate;
  estimate.title = "width 1024";
  estimate.card = "NVIDIA A100-SXM4-40GB";
  estimate.baseline = {423.4e-6, "shared memory and L1", 12'582'912, 83'886'080, 0, 33'554'432};
  estimate.submission = {279e-6, "instruction issue", 12'582'912, 8'519'680, 20'971'520, 30'000'000};
  estimate.speedup = 1.5176;
  estimate.checked_on = "NVIDIA H200";
  estimate.mean_error = 0.206;
  estimate.checked_kernels = 67;
  SpeedResult speed;
  speed.reason = "speed is measured on a GPU only";
  speed.baseline = "a naive kernel";
  speed.max_points = 3;
  speed.estimate = estimate;
  return speed;
}

}  // namespace warplings::report_test
