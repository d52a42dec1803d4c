// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/roofline.h"

#include <gtest/gtest.h>

namespace warplings::timing {
namespace {

/// From NVIDIA's data sheets: bytes and fp32 operations per second.
struct Sheet {
  const char* id;
  double bytes, flops;
};

class RooflineTest : public testing::TestWithParam<Sheet> {};

TEST_P(RooflineTest, PeaksAreTheDataSheets) {
  const DeviceProfile* card = FindDeviceProfile(GetParam().id);
  ASSERT_NE(card, nullptr);
  EXPECT_NEAR(PeakBytesPerSecond(*card) / GetParam().bytes, 1, 0.03);
  EXPECT_NEAR(PeakFlopsPerSecond(*card) / GetParam().flops, 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Cards, RooflineTest,
                         testing::Values(Sheet{"t4", 320e9, 8.1e12}, Sheet{"a100", 1.555e12, 19.5e12},
                                         Sheet{"h200", 4.8e12, 67e12}),
                         [](const auto& test) { return std::string(test.param.id); });

TEST(Roofline, TheSlowerOfMovingAndComputingDecides) {
  const DeviceProfile* card = FindDeviceProfile("a100");
  ASSERT_NE(card, nullptr);
  const double bytes = PeakBytesPerSecond(*card), flops = PeakFlopsPerSecond(*card);
  EXPECT_NEAR(LimitSeconds({flops, bytes / 2, 0}, *card), 1, 1e-9);
  EXPECT_NEAR(LimitSeconds({flops / 2, bytes, bytes}, *card), 2, 1e-9);
}

TEST(Roofline, WhatIsWrittenMayStayInTheCacheAsFarAsItFits) {
  const DeviceProfile* card = FindDeviceProfile("a100");
  ASSERT_NE(card, nullptr);
  const auto cache = static_cast<double>(card->l2_bytes);
  const double rate = PeakBytesPerSecond(*card);
  EXPECT_NEAR(FloorSeconds({0, 1e9, cache / 2}, *card), 1e9 / rate, 1e-12);
  EXPECT_NEAR(FloorSeconds({0, 1e9, cache + 1e9}, *card), 2e9 / rate, 1e-12);
}

}  // namespace
}  // namespace warplings::timing
