// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/partly_stored.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grader/virtual_gpu/memory/address_space.h"

namespace warplings::vgpu {
namespace {

class PartlyStoredTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 4000;

  void SetUp() override {
    auto space = AddressSpace::Create(0);
    ASSERT_TRUE(space.ok());
    memory_ = std::make_unique<GlobalMemory>(std::uint64_t{1} << 30, *space);
    managed_ = Allocate(AllocationKind::kManaged);
  }
  DevicePointer Allocate(AllocationKind kind) {
    const auto region = memory_->Allocate(kBytes, kind);
    EXPECT_TRUE(region.ok());
    return (*region)->start;
  }
  /// A launch that stores and reads these bytes of the managed array.
  void Launch(ByteRanges stored, ByteRanges read = {}) { LaunchOn(managed_, stored, read); }
  void LaunchOn(DevicePointer array, ByteRanges stored, ByteRanges read = {}) {
    for (ByteRanges* ranges : {&stored, &read}) {
      for (ByteRange& each : *ranges) each = {array + each.begin, array + each.end};
    }
    stores_.Note(*memory_, PartlyStored::Of(*memory_, {{array, kBytes, read, stored}}), "add",
                 [](const Region&) { return Message("c"); });
  }
  /// How many bytes the host is told of; nothing: it is told nothing.
  std::optional<std::uint64_t> Stored() {
    const auto part = stores_.Take(*memory_, managed_);
    return part ? std::optional(part->stored) : std::nullopt;
  }

  std::unique_ptr<GlobalMemory> memory_;
  PartlyStored stores_;
  DevicePointer managed_ = 0;
};

TEST_F(PartlyStoredTest, TheFirstPartOfAnArrayThatNobodyElseStoresTo) {
  Launch({{0, 1024}});
  Launch({{1024, 3072}});
  const auto part = stores_.Take(*memory_, managed_);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->kernel, "add");
  EXPECT_EQ(part->stored, 3072u);
  EXPECT_EQ(part->bytes, kBytes);
  EXPECT_EQ(Stored(), std::nullopt) << "it is told once";
  Launch({{0, kBytes}});
  EXPECT_EQ(Stored(), std::nullopt) << "all is stored";
}

TEST_F(PartlyStoredTest, NothingIsSaidWhereTheHostMayHaveStoredTheRest) {
  Launch({{0, 3072}});
  *HostPointer(managed_ + kBytes - 1) = std::byte{1};
  EXPECT_EQ(Stored(), std::nullopt) << "not zero";
  *HostPointer(managed_ + kBytes - 1) = std::byte{0};
  Launch({{0, 3072}}, {{0, 3072}});
  EXPECT_EQ(Stored(), std::nullopt) << "the kernel reads what the host has stored";
  Launch({{0, 3072}});
  Launch({}, {{0, kBytes}});
  EXPECT_EQ(Stored(), std::nullopt) << "a later kernel reads the rest";
  Launch({{0, 3072}});
  stores_.Forget(*memory_, managed_ + 3500);
  EXPECT_EQ(Stored(), std::nullopt) << "a copy or a memset stored there";
}

TEST_F(PartlyStoredTest, NothingIsSaidOfOtherPartsAndOtherMemory) {
  Launch({{1024, kBytes}});
  EXPECT_EQ(Stored(), std::nullopt) << "not the first part";
  Launch({{0, 4}, {8, 12}});
  EXPECT_EQ(Stored(), std::nullopt) << "with gaps";
  const DevicePointer device = Allocate(AllocationKind::kDevice);
  LaunchOn(device, {{0, 4}});
  EXPECT_FALSE(stores_.Take(*memory_, device));
  Launch({{0, 3072}});
  stores_.Note(*memory_, std::nullopt, "unknown", {});
  Launch({{0, 3072}});
  EXPECT_EQ(Stored(), std::nullopt) << "a launch whose accesses are not known";
}

}  // namespace
}  // namespace warplings::vgpu
