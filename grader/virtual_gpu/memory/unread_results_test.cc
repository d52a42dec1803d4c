// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/unread_results.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/memory/address_space.h"

namespace warplings::vgpu {
namespace {

class UnreadResultsTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 4096;

  void SetUp() override {
    auto space = AddressSpace::Create(0);
    ASSERT_TRUE(space.ok());
    memory_ = std::make_unique<GlobalMemory>(std::uint64_t{1} << 30, *space);
    input_ = Allocate(AllocationKind::kDevice);
    output_ = Allocate(AllocationKind::kDevice);
  }
  DevicePointer Allocate(AllocationKind kind) {
    const auto region = memory_->Allocate(kBytes, kind);
    EXPECT_TRUE(region.ok());
    return (*region)->start;
  }
  void Launch(const char* kernel, std::vector<DevicePointer> read, std::vector<DevicePointer> written) {
    results_.Note(*memory_, UnreadResults::Touched{std::move(read), std::move(written)}, kernel);
  }

  /// "": nothing is unread.
  std::string TakeKernel(DevicePointer start) {
    const auto unread = results_.Take(start);
    return unread ? unread->kernel : "";
  }

  std::unique_ptr<GlobalMemory> memory_;
  UnreadResults results_;
  DevicePointer input_ = 0, output_ = 0;
};

TEST_F(UnreadResultsTest, WhatAKernelStoredIsUnreadUntilItIsRead) {
  Launch("add", {input_}, {output_});
  EXPECT_EQ(TakeKernel(input_), "");
  EXPECT_EQ(TakeKernel(output_), "add");
  EXPECT_EQ(TakeKernel(output_), "") << "freed";
  Launch("add", {input_}, {output_});
  results_.Forget(*memory_, output_ + 100);
  EXPECT_EQ(TakeKernel(output_), "") << "copied";
  Launch("add", {input_}, {output_});
  Launch("sum", {output_}, {});
  EXPECT_EQ(TakeKernel(output_), "") << "a later kernel's input";
  Launch("scale", {output_}, {output_});
  EXPECT_EQ(TakeKernel(output_), "scale") << "in place";
}

TEST_F(UnreadResultsTest, WhatACopyToTheHostLeavesIsKnown) {
  const auto copied = [&] {
    const auto unread = results_.Take(output_);
    return unread ? std::optional(unread->copied) : std::nullopt;
  };
  Launch("add", {input_}, {output_});
  EXPECT_EQ(copied(), 0);
  Launch("add", {input_}, {output_});
  results_.Read(*memory_, output_, kBytes / 8);
  results_.Read(*memory_, output_ + kBytes / 8, kBytes / 8);
  EXPECT_EQ(copied(), kBytes / 4) << "in pieces";
  Launch("add", {input_}, {output_});
  results_.Read(*memory_, output_, kBytes / 2);
  results_.Read(*memory_, output_ + kBytes / 2, kBytes / 2);
  EXPECT_EQ(copied(), std::nullopt) << "all of it";
  Launch("add", {input_}, {output_});
  results_.Read(*memory_, output_ + 4, 4);
  EXPECT_EQ(copied(), std::nullopt) << "an element in its middle";
  Launch("add", {input_}, {output_});
  results_.Read(*memory_, output_, 4);
  results_.Read(*memory_, output_, 4);
  EXPECT_EQ(copied(), std::nullopt) << "twice";
  Launch("add", {input_}, {output_});
  results_.Read(*memory_, output_, 4);
  Launch("sum", {output_}, {});
  EXPECT_EQ(copied(), std::nullopt) << "the rest is a kernel's input";
}

TEST_F(UnreadResultsTest, WhatACopyFromTheHostOverwritesIsUnreadToo) {
  const auto overwritten = [&] {
    const auto unread = results_.Take(output_);
    return unread ? std::optional(unread->overwritten) : std::nullopt;
  };
  Launch("add", {input_}, {output_});
  results_.Overwrite(*memory_, output_, kBytes / 2);
  results_.Overwrite(*memory_, output_ + kBytes / 2, kBytes / 2);
  EXPECT_EQ(overwritten(), kBytes) << "in pieces";
  Launch("add", {input_}, {output_});
  results_.Overwrite(*memory_, output_ + 4, kBytes - 4);
  EXPECT_EQ(overwritten(), 0) << "the first element is still there";
  Launch("add", {input_}, {output_});
  results_.Overwrite(*memory_, output_, kBytes);
  Launch("add", {input_}, {output_});
  EXPECT_EQ(overwritten(), 0) << "stored anew";
  Launch("add", {input_}, {output_});
  results_.Overwrite(*memory_, output_, kBytes);
  Launch("scale", {output_}, {});
  EXPECT_EQ(overwritten(), std::nullopt) << "the next input: the array is used again";
}

TEST_F(UnreadResultsTest, MemoryOfTheHostAndUnknownAccessesAreLeftOut) {
  const DevicePointer managed = Allocate(AllocationKind::kManaged);
  Launch("add", {}, {managed});
  EXPECT_EQ(TakeKernel(managed), "");
  Launch("add", {}, {output_});
  results_.Note(*memory_, std::nullopt, "unknown");
  Launch("add", {}, {output_});
  EXPECT_EQ(TakeKernel(output_), "");
}

TEST_F(UnreadResultsTest, AnArrayOfWhichTooMuchIsAccessedCountsAsRead) {
  const ByteRanges all{{output_, output_ + kBytes}};
  const auto touched = UnreadResults::Of(std::vector<AccessMap::TouchedArray>{
      {input_, kBytes, {}, {{input_, input_ + 4}}}, {output_, kBytes, all, all, false}});
  ASSERT_TRUE(touched);
  EXPECT_EQ(touched->read, std::vector<DevicePointer>{output_});
  EXPECT_EQ(touched->written, std::vector<DevicePointer>{input_});
  EXPECT_FALSE(UnreadResults::Of(std::nullopt));
}

/// One of several arrays that a kernel stores to, and reads itself.
TEST_F(UnreadResultsTest, ScratchMemoryOfAKernelIsNoResult) {
  const DevicePointer scratch = Allocate(AllocationKind::kDevice);
  Launch("add", {input_, scratch}, {scratch, output_});
  EXPECT_EQ(TakeKernel(scratch), "");
  EXPECT_EQ(TakeKernel(output_), "add");
}

TEST_F(UnreadResultsTest, ACopyOfOtherResultsIsKnown) {
  const auto has_other = [&] {
    const auto unread = results_.Take(output_);
    return unread && unread->has_other_result;
  };
  const DevicePointer other = Allocate(AllocationKind::kDevice);
  Launch("add", {input_}, {output_, other});
  EXPECT_FALSE(has_other());
  Launch("add", {input_}, {output_, other});
  EXPECT_FALSE(results_.Read(*memory_, input_, kBytes)) << "no kernel stored it";
  EXPECT_FALSE(has_other());
  Launch("add", {input_}, {output_, other});
  EXPECT_TRUE(results_.Read(*memory_, other, kBytes));
  EXPECT_TRUE(has_other());
  Launch("add", {input_}, {output_});
  Launch("last", {}, {Allocate(AllocationKind::kManaged)});
  EXPECT_TRUE(has_other()) << "the host sees that";
}

}  // namespace
}  // namespace warplings::vgpu
