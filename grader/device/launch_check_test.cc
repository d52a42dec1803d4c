// SPDX-License-Identifier: Apache-2.0
#include "grader/device/launch_check.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

CudaStatus Check(const KernelLimits& kernel, std::uint32_t dynamic_shared_bytes = 0) {
  LaunchRequest request;
  request.grid = request.block = {1, 1, 1};
  request.dynamic_shared_bytes = dynamic_shared_bytes;
  return CheckLaunch(*FindDeviceProfile("a100"), kernel, request);
}

constexpr std::uint32_t kLimit = 48 << 10;

TEST(LaunchCheck, SharedArraysOfFixedSizeMayHaveAllThatTheCardHas) {
  EXPECT_TRUE(Check({.static_shared_bytes = kLimit}));
  EXPECT_TRUE(Check({.static_shared_bytes = 60'000})) << "as an H200 does";
  EXPECT_TRUE(Check({.static_shared_bytes = 60'000}, 1000));
  const auto refused = Check({.static_shared_bytes = 200'000});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, CudaError::kInvalidValue);
  EXPECT_NE(English(refused.error().message).find("this GPU has at most 166912"), std::string::npos)
      << refused.error().message;
}

TEST(LaunchCheck, DynamicSharedMemoryNeedsLeaveForMore) {
  EXPECT_TRUE(Check({}, kLimit));
  EXPECT_FALSE(Check({}, kLimit + 1));
  EXPECT_FALSE(Check({.static_shared_bytes = 4}, kLimit));
  EXPECT_TRUE(Check({.max_dynamic_shared = 90'000}, 90'000));
  EXPECT_FALSE(Check({.max_dynamic_shared = 200'000}, 200'000)) << "the card has 163 KB";
}

}  // namespace
}  // namespace warplings
