// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/estimate.h"

#include <gtest/gtest.h>

#include "grader/timing/roofline.h"

namespace warplings::timing {
namespace {

const DeviceProfile& Card(const char* id) {
  return *FindDeviceProfile(id);
}

/// Many blocks of 256 threads that do nothing.
LaunchRecord Launch(std::uint32_t blocks) {
  LaunchRecord launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {256, 1, 1};
  launch.registers = 16;
  launch.work = LaunchWork{.warps = std::uint64_t{blocks} * 8};
  return launch;
}

Estimate Of(const LaunchRecord& launch, const char* card = "h200") {
  return EstimateLaunch(launch, *launch.work, Card(card));
}

TEST(Estimate, AKernelThatDoesNothingTakesItsLaunch) {
  const Estimate estimate = Of(Launch(1));
  EXPECT_EQ(estimate.bound, Bound::kLaunch);
  EXPECT_NEAR(estimate.seconds, EstimateModel().launch_seconds, 0.1e-6);
}

TEST(Estimate, BytesOfDramTakeTheirTimeAtAShareOfThePeak) {
  LaunchRecord launch = Launch(10'000);
  launch.work->read_bytes = 1'000'000'000;
  const Estimate estimate = Of(launch);
  EXPECT_EQ(estimate.bound, Bound::kDram);
  const double peak = 1e9 / PeakBytesPerSecond(Card("h200"));
  EXPECT_GT(estimate.seconds, peak);
  EXPECT_LT(estimate.seconds, 2 * peak);
}

TEST(Estimate, AWavefrontOfSharedMemoryTakesACycleOfItsMultiprocessor) {
  LaunchRecord launch = Launch(1320);  // ten a multiprocessor
  launch.totals.shared_load_wavefronts = 1320 * 100'000;
  const Estimate estimate = Of(launch);
  EXPECT_EQ(estimate.bound, Bound::kLoadStore);
  EXPECT_NEAR(estimate.load_store, 10 * 100'000 / 1.98e9, 1e-9);
}

TEST(Estimate, BankConflictsCost) {
  LaunchRecord without = Launch(1320), with = Launch(1320);
  without.totals.shared_load_wavefronts = 1'000'000'000;
  with.totals.shared_load_wavefronts = 32'000'000'000;
  EXPECT_NEAR(Of(with).seconds / Of(without).seconds, 32, 1);
}

TEST(Estimate, TheBusiestMultiprocessorDecides) {
  LaunchRecord even = Launch(132), uneven = Launch(133);
  for (LaunchRecord* launch : {&even, &uneven}) {
    launch->work->issue_slots = static_cast<double>(launch->grid.x) * 1'000'000;
  }
  EXPECT_EQ(Of(even).bound, Bound::kIssue);
  EXPECT_NEAR(Of(uneven).issue / Of(even).issue, 2, 1e-6);
}

TEST(Estimate, FewWarpsCannotHideALatency) {
  LaunchRecord few = Launch(132), many = Launch(132 * 8);
  // The same loads: by one block on each multiprocessor, or by eight at once.
  few.work->path_global = 8.0 * 132 * 8 * 100;
  many.work->path_global = 132 * 8 * 8 * 100;
  for (LaunchRecord* launch : {&few, &many}) {
    launch->totals.global_load_sectors = 1'000'000;
    launch->work->block_read_sectors = 1'000'000;
  }
  EXPECT_EQ(Of(few).bound, Bound::kLatency);
  EXPECT_NEAR(Of(few).latency / Of(many).latency, 8, 0.01);
}

TEST(Estimate, SaysWhatTheWarpsWaitFor) {
  LaunchRecord launch = Launch(132);
  launch.work->path_cycles = 132 * 8 * 1000;
  launch.work->path_shared = 132 * 8 * 100;
  launch.work->path_barriers = 132 * 8 * 10;
  const Estimate estimate = Of(launch);
  const EstimateModel model;
  EXPECT_NEAR(estimate.waits.arithmetic, 1000 / 1.98e9, 1e-12);
  EXPECT_NEAR(estimate.waits.shared, model.shared_cycles * 100 / 1.98e9, 1e-12);
  EXPECT_NEAR(estimate.waits.barriers, model.barrier_cycles * 10 / 1.98e9, 1e-12);
  EXPECT_EQ(estimate.waits.global, 0);
  EXPECT_NEAR(estimate.latency, estimate.waits.arithmetic + estimate.waits.shared + estimate.waits.barriers,
              1e-12);
}

TEST(Estimate, LinesOfGlobalMemoryAreApartFromWavefronts) {
  LaunchRecord launch = Launch(132);
  launch.totals.shared_load_wavefronts = 132'000;
  launch.work->load_lines = 132'000;
  const Estimate estimate = Of(launch);
  EXPECT_NEAR(estimate.lines, EstimateModel().line_cycles * 1000 / 1.98e9, 1e-12);
  EXPECT_NEAR(estimate.load_store - estimate.lines, 1000 / 1.98e9, 1e-12);
}

TEST(Estimate, ALoadIsSoonerBackFromACache) {
  LaunchRecord from_dram = Launch(132), from_l1 = Launch(132);
  for (LaunchRecord* launch : {&from_dram, &from_l1}) {
    launch->totals.global_load_sectors = 1000;
    launch->work->path_global = 132 * 8 * 100;
  }
  from_dram.work->block_read_sectors = 1000;
  from_dram.work->read_bytes = 32'000;
  const EstimateModel model;
  EXPECT_NEAR(Of(from_dram).latency / Of(from_l1).latency, model.dram_cycles / model.l1_cycles, 1e-6);
}

TEST(Estimate, DoublePrecisionIsSlowWhereUnitsAreFew) {
  LaunchRecord launch = Launch(1320);
  launch.work->fp64_slots = launch.work->issue_slots = 1e9;
  EXPECT_EQ(Of(launch, "rtx4090").bound, Bound::kUnits);
  EXPECT_GT(Of(launch, "rtx4090").units / Of(launch, "rtx4090").issue, 15);
  EXPECT_LT(Of(launch, "h200").units / Of(launch, "h200").issue, 3);
}

TEST(Estimate, AtomicsOnOneWordQueueUp) {
  LaunchRecord one = Launch(1320), spread = Launch(1320);
  for (LaunchRecord* launch : {&one, &spread}) launch->totals.global_atomic_sectors = 10'000'000;
  one.work->atomic_bytes = 64;
  spread.work->atomic_bytes = 1 << 20;
  EXPECT_EQ(Of(one).bound, Bound::kAtomics);
  EXPECT_GT(Of(one).atomics / Of(spread).atomics, 50);
}

TEST(Estimate, OccupancyLimitsWhatRunsAtATime) {
  LaunchRecord small = Launch(132 * 16), large = Launch(132 * 16);
  large.dynamic_shared_bytes = 200 * 1024;  // one block at a time
  for (LaunchRecord* launch : {&small, &large}) launch->work->path_cycles = 132 * 16 * 8 * 10'000.0;
  EXPECT_NEAR(Of(large).latency / Of(small).latency, 8, 0.01);
}

TEST(Estimate, LaunchesOfOneKernelFollowEachOther) {
  KernelProfile kernel;
  kernel.launches = 3;
  kernel.sum = Launch(1000);
  kernel.sum.work->read_bytes = 3'000'000'000;
  LaunchRecord one = Launch(1000);
  one.work->read_bytes = 1'000'000'000;
  EXPECT_NEAR(EstimateKernel(kernel, Card("h200"))->seconds, 3 * Of(one).seconds, 1e-9);
}

TEST(Estimate, OfMatrixInstructionsThereIsNone) {
  KernelProfile kernel;
  kernel.launches = 1;
  kernel.sum = Launch(10);
  kernel.sum.work->has_matrix_operations = true;
  EXPECT_FALSE(EstimateKernel(kernel, Card("h200")).has_value());
}

/// rect_tiled_transposed's solution is 1.16 times as fast as its baseline on an H200, and estimated at 0.91.
TEST(Estimate, ARatioWithinTheErrorSaysNothing) {
  const double error = kEstimateRecord.mean_error;
  EXPECT_TRUE(IsWithinError(0.91, error));
  EXPECT_TRUE(IsWithinError(1, error));
  EXPECT_TRUE(IsWithinError(1.2, error));
  EXPECT_FALSE(IsWithinError(1.29, error));
  EXPECT_FALSE(IsWithinError(0.8, error));
  EXPECT_FALSE(IsWithinError(0, error));
}

TEST(Estimate, SaysHowWellItHeld) {
  EXPECT_GE(kEstimateRecord.cases, 16u);
  EXPECT_GT(kEstimateRecord.mean_error, 0);
  EXPECT_LE(kEstimateRecord.rank_correlation, 1);
}

}  // namespace
}  // namespace warplings::timing
