// SPDX-License-Identifier: Apache-2.0
#include "grader/device/occupancy.h"

#include <gtest/gtest.h>

#include <set>

#include "grader/device/device_spec.h"
#include "grader/device/probe.h"

namespace warplings {
namespace {

const DeviceProfile& A100() {
  return *FindDeviceProfile("a100");
}

// Figures of the book that the workbook follows, as far as they hold (whole blocks, reserved kilobyte).
TEST(Occupancy, BlocksOf32ThreadsReachTheLimitOfBlocks) {
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 32}), 32u);
  EXPECT_DOUBLE_EQ(Occupancy(A100(), {.threads = 32}), 0.5);
}

TEST(Occupancy, BlocksOf768ThreadsDoNotFillAMultiprocessor) {
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 768}), 2u);
  EXPECT_DOUBLE_EQ(Occupancy(A100(), {.threads = 768}), 0.75);
}

TEST(Occupancy, SixtyFourRegistersHalveIt) {
  EXPECT_DOUBLE_EQ(Occupancy(A100(), {.threads = 256, .registers = 64}), 0.5);
}

TEST(Occupancy, CliffBetween31And33Registers) {
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 512, .registers = 31}), 4u);
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 512, .registers = 33}), 3u);
}

TEST(Occupancy, EachBlockReservesAKilobyteOfSharedMemory) {
  // 164 KB / 32 KB is 5, but 164 KB / 33 KB is 4.
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 256, .static_shared_bytes = 32 << 10}), 4u);
}

TEST(Occupancy, WhatDoesNotFitIsZero) {
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 0}), 0u);
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 1025}), 0u);
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 0xffff'ffff}), 0u);
  EXPECT_EQ(BlocksPerMultiprocessor(A100(), {.threads = 32, .dynamic_shared_bytes = 164 << 10}), 0u);
}

TEST(Occupancy, SaysWhatTheLimitIs) {
  const auto limits = [](const BlockShape& shape) { return ResidencyOn(A100(), shape).limits; };
  EXPECT_EQ(limits({.threads = 256}), kLimitThreads);
  EXPECT_EQ(limits({.threads = 32}), kLimitBlocks);
  EXPECT_EQ(limits({.threads = 64}), kLimitThreads | kLimitBlocks);
  EXPECT_EQ(limits({.threads = 512, .registers = 33}), kLimitRegisters);
  EXPECT_EQ(limits({.threads = 256, .static_shared_bytes = 32 << 10}), kLimitSharedMemory);
  EXPECT_EQ(limits({.threads = 1056}), kLimitThreads);
  EXPECT_EQ(limits({.threads = 32, .dynamic_shared_bytes = 164 << 10}), kLimitSharedMemory);
  EXPECT_EQ(limits({.threads = 0}), 0u);
}

TEST(Occupancy, RegistersAndSharedMemoryComeInPortions) {
  EXPECT_EQ(AllocationUnitsOf(A100()).registers_per_warp, 256u);
  EXPECT_EQ(AllocationUnitsOf(A100()).shared_bytes, 128u);
  EXPECT_EQ(AllocationUnitsOf(*FindDeviceProfile("t4")).shared_bytes, 256u);
}

/// As a toolkit sees it that is older than the card.
TEST(Occupancy, ACardThatTheHeaderDoesNotKnowIsReckonedFromItsProfile) {
  for (const DeviceProfile& profile : DeviceProfiles()) {
    if (profile.major < 8) continue;  // Those have other portions, and every CUDA 12 knows them.
    SCOPED_TRACE(profile.id);
    DeviceProfile later = profile;
    later.major = 99;
    EXPECT_EQ(AllocationUnitsOf(later).registers_per_warp, AllocationUnitsOf(profile).registers_per_warp);
    EXPECT_EQ(AllocationUnitsOf(later).shared_bytes, AllocationUnitsOf(profile).shared_bytes);
    for (const std::uint32_t threads : {1u, 64u, 96u, 768u, 1024u}) {
      for (const std::uint32_t registers : {16u, 33u, 64u, 128u}) {
        for (const std::uint32_t bytes : {0u, 1u, 5000u, 40'000u, 90'000u}) {
          const BlockShape shape = {
              .threads = threads, .registers = registers, .dynamic_shared_bytes = bytes};
          const Residency expected = ResidencyOn(profile, shape), got = ResidencyOn(later, shape);
          EXPECT_EQ(got.blocks, expected.blocks) << threads << ' ' << registers << ' ' << bytes;
          EXPECT_EQ(got.limits, expected.limits) << threads << ' ' << registers << ' ' << bytes;
        }
      }
    }
  }
}

TEST(Occupancy, EveryProfileKnowsItsLimits) {
  std::set<std::string> ids;
  for (const DeviceProfile& profile : DeviceProfiles()) {
    SCOPED_TRACE(profile.id);
    EXPECT_TRUE(ids.insert(profile.id).second);
    EXPECT_EQ(FindDeviceProfile(profile.id), &profile);
    // Small blocks reach the limit of blocks, blocks of 256 fill it: the header agrees with the row.
    EXPECT_EQ(BlocksPerMultiprocessor(profile, {.threads = 1}),
              static_cast<std::uint32_t>(profile.max_blocks_per_multiprocessor));
    EXPECT_DOUBLE_EQ(Occupancy(profile, {.threads = 256, .registers = 32}), 1.0);
    EXPECT_EQ(BlocksPerMultiprocessor(
                  profile, {.threads = 32, .dynamic_shared_bytes = profile.shared_bytes_per_block_optin}),
              1u);
  }
  EXPECT_TRUE(ids.contains(std::string(kDefaultProfile)));
}

TEST(DeviceSpec, NamesACard) {
  EXPECT_EQ(ParseDeviceSpec("gpu")->Name(), "gpu:0");
  EXPECT_EQ(ParseDeviceSpec("gpu:3")->card, 3);
  EXPECT_EQ(ParseDeviceSpec("virtual")->card, std::nullopt);
}

TEST(ParseFoundCard, TakesWhatTheDeviceProgramPrints) {
  EXPECT_EQ(ParseFoundCard("90 NVIDIA H200")->capability, 90);
  EXPECT_EQ(ParseFoundCard("90 NVIDIA H200")->name, "NVIDIA H200");
  for (const char* wrong : {"", "90", "x y", "-1 a", "0 a"})
    EXPECT_FALSE(ParseFoundCard(wrong).ok()) << wrong;
}

TEST(DeviceSpec, NamesAProfileOrSaysWhichThereAre) {
  EXPECT_EQ(ParseDeviceSpec("virtual")->Name(), "virtual:a100");
  EXPECT_EQ(ParseDeviceSpec("virtual:t4")->profiles.at(0)->major, 7);
  EXPECT_EQ(ParseDeviceSpec("virtual:t4,orin")->Name(), "virtual:t4,orin");
  EXPECT_EQ(ParseDeviceSpec("virtual:h100,t4,a100")->LowestCapability(), 75);
  for (const char* wrong : {"", "virtual:", "virtual:gtx1", "gpu0", "a100", "virtual:t4,", "virtual:,t4"}) {
    auto spec = ParseDeviceSpec(wrong);
    ASSERT_FALSE(spec.ok()) << wrong;
    EXPECT_EQ(spec.error().blame, Blame::kUsage);
    EXPECT_NE(English(spec.error().next_step).find("rtx4090"), std::string::npos);
  }
}

}  // namespace
}  // namespace warplings
