// SPDX-License-Identifier: Apache-2.0
// How far a launch says it is, seen from another thread while it runs.
#include "grader/device/launch_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

/// Every block takes as long; `communicating` has an atomic, so its blocks take turns.
std::string SpinKernel(const std::string& name, const std::string& more) {
  return ".visible .entry " + name + R"((.param .u64 p)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, 5000;
TURN:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra TURN;
)" + more +
         "  ret;\n}\n";
}

class LaunchProgressTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kBlocks = 500;

  void SetUp() override {
    device_ = MakeVirtualGpu(*FindDeviceProfile("h200"), {.host_threads = 2, .progress = &progress_}).value();
    const std::string ptx = ".version 7.0\n.target sm_80\n.address_size 64\n" +
                            SpinKernel("independent", "") +
                            SpinKernel("communicating", "  atom.global.add.u32 %r2, [%rd1], 1;\n");
    module_ = device_->LoadModule(0, WrapPtx(ptx)).value();
    memory_ = device_->Allocate(64, AllocationKind::kDevice)->address;
    ASSERT_TRUE(device_->Fill(memory_, 0, 64, 0).ok());
  }

  /// All that another thread sees of a launch.
  std::vector<LaunchProgress::Running> SeenOf(const std::string& kernel) {
    std::vector<LaunchProgress::Running> seen;
    std::jthread looks([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const auto launch = progress_.Look();
        if (launch && (seen.empty() || seen.back().finished != launch->finished)) seen.push_back(*launch);
      }
    });
    const LaunchRequest request{.kernel = device_->FindKernel(module_, kernel)->id,
                                .grid = {kBlocks, 1, 1},
                                .block = {32, 1, 1},
                                .arguments = Arguments().Add(memory_).bytes()};
    EXPECT_TRUE(device_->Launch(request).ok());
    EXPECT_TRUE(device_->SynchronizeAll().ok());
    return seen;
  }

  /// On a busy machine, the thread that looks may sleep through a launch. Then there is another one.
  std::vector<LaunchProgress::Running> SeenWellOf(const std::string& kernel, std::uint64_t blocks) {
    constexpr int kMostLaunches = 50;
    std::vector<LaunchProgress::Running> seen;
    for (int i = 0; i < kMostLaunches; ++i) {
      seen = SeenOf(kernel);
      if (seen.size() > 3 && seen.back().finished > blocks / 2) break;
    }
    return seen;
  }

  static void ExpectThatItGrows(const std::vector<LaunchProgress::Running>& seen, std::uint64_t blocks) {
    ASSERT_GT(seen.size(), 3u) << "hardly anything was seen of it";
    std::uint64_t last = 0;
    for (const LaunchProgress::Running& each : seen) {
      EXPECT_EQ(each.blocks, blocks);
      EXPECT_GE(each.finished, last);
      EXPECT_LE(each.finished, blocks);
      last = each.finished;
    }
    EXPECT_GT(last, blocks / 2);
  }

  LaunchProgress progress_;
  std::unique_ptr<LocalDevice> device_;
  ModuleId module_ = 0;
  DevicePointer memory_ = 0;
};

TEST_F(LaunchProgressTest, BlocksAreCountedAsTheyEnd) {
  for (const char* kernel : {"independent", "communicating"}) {
    const auto seen = SeenWellOf(kernel, kBlocks);
    ASSERT_NO_FATAL_FAILURE(ExpectThatItGrows(seen, kBlocks));
    EXPECT_EQ(seen.front().kernel, kernel);
  }
  EXPECT_FALSE(progress_.Look());
}

TEST_F(LaunchProgressTest, OfASampleOnlyItsBlocksCount) {
  device_->SetObservation({.sample_blocks = 100});
  ExpectThatItGrows(SeenWellOf("independent", 100), 100);
}

TEST_F(LaunchProgressTest, ALaunchThatNeedNotRunHasANumber) {
  device_->SetObservation({.repeat_launches = true});
  const auto first = SeenOf("independent"), second = SeenOf("independent"), third = SeenOf("communicating");
  EXPECT_TRUE(second.empty());
  // Nothing is seen where the thread that looks slept.
  if (!first.empty()) {
    EXPECT_EQ(first.back().number, 1u);
  }
  if (!third.empty()) {
    EXPECT_EQ(third.back().number, 3u);
  }
}

}  // namespace
}  // namespace warplings::vgpu
