// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/unset_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "grader/virtual_gpu/memory/address_space.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {
namespace {

class UnsetBytesTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 4096;

  void SetUp() override {
    auto space = AddressSpace::Create(0);
    ASSERT_TRUE(space.ok());
    memory_ = std::make_unique<GlobalMemory>(std::uint64_t{1} << 30, *space);
    auto region = memory_->Allocate(kBytes, AllocationKind::kDevice);
    ASSERT_TRUE(region.ok());
    start_ = (*region)->start;
  }

  void Set(std::uint64_t first, std::uint64_t bytes) { memory_->SetInitialised(start_ + first, bytes, true); }
  std::optional<UnsetBytes> Find(std::uint64_t bytes) const {
    return FindUnsetBytes(*memory_, start_, bytes);
  }

  std::unique_ptr<GlobalMemory> memory_;
  DevicePointer start_ = 0;
};

TEST_F(UnsetBytesTest, AllOrTheEndOrAGapIsFound) {
  const auto all = Find(kBytes);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->first, 0u);
  EXPECT_EQ(all->last, kBytes - 1);
  EXPECT_EQ(all->count, kBytes);
  Set(0, 3072);
  const auto end = Find(kBytes);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->first, 3072u);
  EXPECT_EQ(end->count, 1024u);
  Set(3088, kBytes - 3088);
  const auto gap = Find(kBytes);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->first, 3072u);
  EXPECT_EQ(gap->last, 3087u);
  EXPECT_EQ(gap->count, 16u);
  Set(3072, 16);
  EXPECT_FALSE(Find(kBytes));
}

TEST_F(UnsetBytesTest, PaddingOfStructsIsNoGap) {
  // struct { char a; int b; } and struct { double a; int b; }.
  for (std::uint64_t at = 0; at < 2048; at += 8) {
    Set(at, 1);
    Set(at + 4, 4);
  }
  for (std::uint64_t at = 2048; at < kBytes; at += 16) Set(at, 12);
  EXPECT_FALSE(Find(kBytes));
}

TEST_F(UnsetBytesTest, EndsOfRowsAPitchApartAreNoGap) {
  for (std::uint64_t row = 0; row < kBytes; row += 512) Set(row, 400);
  EXPECT_FALSE(Find(kBytes));
  // A row of another length is no padding.
  Set(1024 + 400, 40);
  EXPECT_TRUE(Find(kBytes));
}

}  // namespace
}  // namespace warplings::vgpu
