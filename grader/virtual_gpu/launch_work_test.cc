// SPDX-License-Identifier: Apache-2.0
//
// Tests of LaunchRecord::work, the input of time estimates, and of launches of which only a sample of the
// blocks runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "grader/virtual_gpu/counters/instruction_cost.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu::launch_work_test {
namespace {

constexpr std::uint32_t kThreads = 64;

/// A kernel of one array; %rd2 is the address of the thread's own word of it, %rd1 the array's.
std::string KernelOf(const std::string& body) {
  return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .pred %p<4>;
  .reg .f32 %f<8>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd2, %rd1, %rd3;
)" + body +
         "\n  ret;\n}\n";
}

class LaunchWorkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto device = MakeVirtualGpu(*FindDeviceProfile("h200"), {.host_threads = 3});
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(device).value();
  }

  /// One launch of the body on `words` words that hold 0, 1, 2, …
  LaunchRecord Run(const std::string& body, std::uint32_t blocks, std::size_t words,
                   std::uint64_t sample_blocks = 0) {
    const auto array = device_->Allocate(words * 4, AllocationKind::kDevice);
    EXPECT_TRUE(array.ok());
    array_ = array->address;
    std::vector<std::uint32_t> values(words);
    std::iota(values.begin(), values.end(), 0u);
    EXPECT_TRUE(device_->CopyIn(array_, AsBytes(values), 0).ok());
    const auto module = device_->LoadModule(0, WrapPtx(KernelOf(body)));
    EXPECT_TRUE(module.ok()) << (module.ok() ? "" : English(module.error().message));
    const auto kernel = device_->FindKernel(*module, "k");
    EXPECT_TRUE(kernel.ok()) << (kernel.ok() ? "" : English(kernel.error().message));
    device_->SetObservation({.checks = false, .work = true, .sample_blocks = sample_blocks});
    request_.kernel = kernel->id;
    request_.grid = {blocks, 1, 1};
    request_.block = {kThreads, 1, 1};
    request_.arguments = Arguments().Add(array_).bytes();
    EXPECT_TRUE(device_->Launch(request_).ok());
    const auto launches = device_->TakeLaunches();
    EXPECT_EQ(launches.size(), 1u);
    return launches.empty() ? LaunchRecord() : launches[0];
  }

  std::unique_ptr<LocalDevice> device_;
  DevicePointer array_ = 0;
  LaunchRequest request_;
};

constexpr const char* kAddOne = R"(
  ld.global.u32 %r5, [%rd2];
  add.u32 %r6, %r5, 1;
  st.global.u32 [%rd2], %r6;)";

TEST_F(LaunchWorkTest, IsThereOnDemandOnly) {
  EXPECT_TRUE(Run(kAddOne, 2, 2 * kThreads).work.has_value());
  device_->SetObservation({});
  EXPECT_TRUE(device_->Launch(request_).ok());
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_FALSE(launches[0].work.has_value());
}

TEST_F(LaunchWorkTest, BytesThatMoveAreThoseThatBlocksTouch) {
  const LaunchRecord launch = Run(kAddOne, 100, 100 * kThreads);
  EXPECT_EQ(launch.work->warps, 200u);
  EXPECT_EQ(launch.work->read_bytes, 100u * kThreads * 4);
  EXPECT_EQ(launch.work->written_bytes, 100u * kThreads * 4);
  EXPECT_EQ(launch.work->block_read_sectors, 100u * kThreads / 8);
  EXPECT_EQ(launch.work->load_lines, 200u);
  EXPECT_EQ(launch.work->store_lines, 200u);
}

TEST_F(LaunchWorkTest, WhatABlockReadsAgainComesFromItsCache) {
  const LaunchRecord launch = Run(R"(
  ld.global.u32 %r5, [%rd2];
  ld.volatile.global.u32 %r6, [%rd2];)",
                                  10, 10 * kThreads);
  EXPECT_EQ(launch.totals.global_load_sectors, 2u * 10 * kThreads / 8);
  EXPECT_EQ(launch.work->block_read_sectors, 10u * kThreads / 8);
}

TEST_F(LaunchWorkTest, NoMoreMovesThanThereIs) {
  // All blocks read the same 16 words.
  const LaunchRecord launch = Run(R"(
  and.b32 %r5, %r1, 15;
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r6, [%rd5];)",
                                  50, 16);
  EXPECT_EQ(launch.work->read_bytes, 64u);
  EXPECT_EQ(launch.work->block_read_sectors, 50u * 2);
}

TEST_F(LaunchWorkTest, LoadsThatDoNotNeedEachOtherAreWaitedForOnce) {
  const LaunchRecord both = Run(R"(
  ld.global.u32 %r5, [%rd2];
  ld.global.u32 %r6, [%rd2+4];
  add.u32 %r7, %r5, %r6;)",
                                1, 2 * kThreads);
  EXPECT_EQ(both.work->path_global, 2) << "two warps, one wait each";
  const LaunchRecord chained = Run(R"(
  ld.global.u32 %r5, [%rd2];
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r6, [%rd5];)",
                                   1, kThreads);
  EXPECT_EQ(chained.work->path_global, 4);
}

TEST_F(LaunchWorkTest, ALoopWaitsEachTime) {
  const LaunchRecord launch = Run(R"(
  mov.u32 %r5, 0;
again:
  ld.global.u32 %r6, [%rd2];
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 10;
  @%p1 bra again;)",
                                  1, kThreads);
  EXPECT_EQ(launch.work->path_global, 2 * 10);
}

TEST_F(LaunchWorkTest, BarriersAndSharedMemoryAreOnTheWay) {
  const LaunchRecord launch = Run(R"(
  mov.u32 %r5, tile;
  mad.lo.u32 %r6, %r1, 4, %r5;
  st.shared.u32 [%r6], %r1;
  bar.sync 0;
  ld.shared.u32 %r7, [%r6];)",
                                  1, kThreads);
  EXPECT_EQ(launch.work->path_barriers, 2);
  EXPECT_EQ(launch.work->path_shared, 2);
}

TEST_F(LaunchWorkTest, AnAtomicWhoseOldValueNobodyReadsIsNotWaitedFor) {
  EXPECT_EQ(Run("atom.global.add.u32 %r5, [%rd2], 1;", 1, kThreads).work->path_global, 0);
  EXPECT_EQ(Run("atom.global.add.u32 %r5, [%rd2], 1; add.u32 %r6, %r5, 1;", 1, kThreads).work->path_global,
            2);
}

TEST_F(LaunchWorkTest, ASampleStandsForAllBlocks) {
  const LaunchRecord all = Run(kAddOne, 1000, 1000 * kThreads);
  const LaunchRecord sample = Run(kAddOne, 1000, 1000 * kThreads, 8);
  EXPECT_FALSE(all.sampled_blocks.has_value());
  EXPECT_EQ(sample.sampled_blocks, 8u);
  EXPECT_EQ(sample.totals.warp_instructions, all.totals.warp_instructions);
  EXPECT_EQ(sample.totals.global_load_sectors, all.totals.global_load_sectors);
  EXPECT_EQ(sample.work->warps, all.work->warps);
  EXPECT_EQ(sample.work->read_bytes, all.work->read_bytes);
  EXPECT_EQ(sample.work->issue_slots, all.work->issue_slots);
  EXPECT_EQ(sample.work->path_cycles, all.work->path_cycles);
}

TEST_F(LaunchWorkTest, ASampleRunsSoManyBlocksAllOverTheGrid) {
  constexpr std::uint32_t kBlocks = 100, kSample = 10;
  Run("st.global.u32 [%rd2], 4294967295;", kBlocks, kBlocks * kThreads, kSample);
  std::vector<std::uint32_t> values(kBlocks * kThreads);
  ASSERT_TRUE(device_->CopyOut(std::as_writable_bytes(std::span(values)), array_, 0).ok());
  std::vector<std::uint32_t> in_tenth(10), columns;
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    if (values[block * kThreads] != ~0u) continue;
    ++in_tenth[block / 10];
    columns.push_back(block % 10);
  }
  EXPECT_EQ(in_tenth, std::vector<std::uint32_t>(10, 1));
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  EXPECT_GE(columns.size(), 5u) << "not always the same column of a grid that is ten blocks wide";
}

TEST(InstructionCost, IsThatOfWhatTheInstructionBecomes) {
  EXPECT_EQ(CostOf("fma.rn.f32").slots, 1);
  EXPECT_EQ(CostOf("cvta.to.global.u64").slots, 0);
  EXPECT_EQ(CostOf("fma.rn.f64").fp64_slots, 1);
  EXPECT_EQ(CostOf("ld.global.f64").fp64_slots, 0);
  EXPECT_EQ(CostOf("sin.approx.ftz.f32").special_slots, 1);
  EXPECT_GT(CostOf("div.s32").slots, 10);
  EXPECT_GT(CostOf("div.s64").slots, CostOf("div.s32").slots);
  EXPECT_EQ(CostOf("xor.b32").integer_slots, 1);
  EXPECT_EQ(CostOf("add.s64").integer_slots, 0);
  EXPECT_EQ(CostOf("add.f32").integer_slots, 0);
  EXPECT_EQ(CostOf("setp.lt.f32").integer_slots, 1);
  EXPECT_TRUE(CostOf("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32").is_matrix);
  EXPECT_TRUE(CostOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").is_matrix);
}

}  // namespace
}  // namespace warplings::vgpu::launch_work_test
