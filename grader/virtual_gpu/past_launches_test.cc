// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/past_launches.h"

#include <cstring>

#include "tests/support/kernel_test.h"

namespace warplings::vgpu {
namespace {

constexpr double kLong = 10;  ///< Seconds: worth any copies.

class PastLaunchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto space = AddressSpace::Create(0);
    ASSERT_TRUE(space.ok());
    memory_ = std::make_unique<GlobalMemory>(std::uint64_t{1} << 24, *space);
    in_ = Allocate();
    out_ = Allocate();
  }

  DevicePointer Allocate() {
    auto region = memory_->Allocate(kBytes, AllocationKind::kDevice);
    EXPECT_TRUE(region.ok());
    memory_->SetInitialised((*region)->start, kBytes, true);
    return (*region)->start;
  }

  /// A launch that adds 1 to what is in `in_` and stores it in `out_`. True if it ran.
  bool Launch(PastLaunches& past, double seconds = kLong, CudaError error = CudaError::kSuccess) {
    const PastLaunches::Key key{1, {1, 1, 1}, {1, 1, 1}, 0, false, {}};
    if (const PastLaunches::Shown* shown = past.Repeat(key, *memory_, false)) {
      EXPECT_EQ(shown->outcome.warp_instructions, 77u);
      return false;
    }
    past.BeforeRun(key, *memory_);
    AccessMap touched;
    touched.Find(*memory_->Find(in_))->Mark(AccessMap::kRead, in_, 4);
    touched.Find(*memory_->Find(out_))->Mark(AccessMap::kWritten, out_, 4);
    Store(out_, Value(in_) + 1);
    past.AfterRun(key, *memory_, touched.Touched(), seconds, [&] {
      PastLaunches::Shown shown;
      shown.outcome.completed = true;
      shown.outcome.error = error;
      shown.outcome.warp_instructions = 77;
      return shown;
    });
    return true;
  }

  void Store(DevicePointer at, int value) { std::memcpy(HostPointer(at), &value, sizeof value); }
  int Value(DevicePointer at) const {
    int value = 0;
    std::memcpy(&value, HostPointer(at), sizeof value);
    return value;
  }

  static constexpr std::uint64_t kBytes = 64, kLimit = 1 << 20;
  std::unique_ptr<GlobalMemory> memory_;
  DevicePointer in_ = 0, out_ = 0;
};

TEST_F(PastLaunchesTest, TheThirdOfLaunchesThatAreAlikeNeedNotRun) {
  PastLaunches past(kLimit);
  EXPECT_TRUE(Launch(past));
  EXPECT_TRUE(Launch(past));
  EXPECT_FALSE(Launch(past));
  EXPECT_EQ(past.bytes(), 3 * (kBytes + kBytes / 4));
  past.Clear();
  EXPECT_TRUE(Launch(past));
  EXPECT_EQ(past.bytes(), 0u);
}

TEST_F(PastLaunchesTest, OtherDataRuns) {
  PastLaunches past(kLimit);
  for (int i = 0; i < 2; ++i) Launch(past);
  Store(in_, 5);
  EXPECT_TRUE(Launch(past));
  EXPECT_EQ(Value(out_), 6);
  // What was there before, and what another launch left in the output, which this one might have read.
  Store(in_, 0);
  EXPECT_TRUE(Launch(past));
  Store(out_, 1);
  EXPECT_FALSE(Launch(past));
  EXPECT_EQ(Value(out_), 1);
}

TEST_F(PastLaunchesTest, MemoryIsLeftAsTheEarlierLaunchLeftIt) {
  PastLaunches past(kLimit);
  for (int i = 0; i < 2; ++i) {
    Store(out_, 9);
    memory_->SetInitialised(out_, kBytes, false);
    Launch(past);
    memory_->SetInitialised(out_, 4, true);  // The interpreter does so with each store.
  }
  // The copies of what it leaves are taken as soon as it ends.
  PastLaunches another(kLimit);
  Store(out_, 9);
  Launch(another);
  Store(out_, 9);
  Launch(another);
  Store(out_, 9);
  EXPECT_FALSE(Launch(another));
  EXPECT_EQ(Value(out_), 1);
}

TEST_F(PastLaunchesTest, MemoryThatWasNeverWrittenIsNotTheSameAsZeros) {
  PastLaunches past(kLimit);
  for (int i = 0; i < 2; ++i) Launch(past);
  memory_->SetInitialised(in_, 4, false);
  EXPECT_TRUE(Launch(past));
}

TEST_F(PastLaunchesTest, AnotherArrayAtTheAddressRuns) {
  PastLaunches past(kLimit);
  for (int i = 0; i < 2; ++i) Launch(past);
  ASSERT_TRUE(memory_->Free(out_).ok());
  const PastLaunches::Key key{1, {1, 1, 1}, {1, 1, 1}, 0, false, {}};
  EXPECT_EQ(past.Repeat(key, *memory_, false), nullptr);
}

TEST_F(PastLaunchesTest, ShortLaunchesFailedOnesAndLargeCopiesRunEveryTime) {
  PastLaunches past(kLimit), small(kBytes);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Launch(past, /*seconds=*/1e-4));
    EXPECT_TRUE(Launch(small));
  }
  EXPECT_EQ(past.bytes(), 0u);
  EXPECT_EQ(small.bytes(), 0u);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(Launch(past, kLong, CudaError::kLaunchFailure));
  EXPECT_EQ(past.bytes(), 0u);
}

TEST_F(PastLaunchesTest, WhoNeverFindsTheSameDataKeepsNoCopies) {
  PastLaunches past(kLimit);
  for (int i = 0; i < 8; ++i) {
    Store(in_, i);
    EXPECT_TRUE(Launch(past));
  }
  EXPECT_EQ(past.bytes(), 0u);
}

// --- On a device. ----------------------------------------------------------------------------------------

class RepeatedKernelsTest : public VirtualGpuTest {
 protected:
  /// The bodies run so long that launches are worth to be kept.
  std::vector<std::uint32_t> AfterLaunches(const std::string& body, int launches, bool repeats) {
    ObservationOptions options;
    options.repeat_launches = repeats;
    device_->SetObservation(options);
    Write(a_, std::vector<std::uint32_t>(64, 3));
    Write(b_, std::vector<std::uint32_t>(64, 0));
    Load(KernelText("", R"(
  mov.u32 %r3, 0;
WAIT:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 20000;
  @%p1 bra WAIT;
)" + std::string(kOwnElement) +
                            body));
    for (int i = 0; i < launches; ++i) EXPECT_TRUE(device_->Launch(Request(2, 32)).ok());
    EXPECT_TRUE(device_->TakeFindings().empty());
    return Read(b_, 64);
  }
};

TEST_F(RepeatedKernelsTest, SumsGoOnBecauseTheirMemoryDiffers) {
  const std::string body = "ld.global.u32 %r4, [%rd4]; add.u32 %r4, %r4, %r30; st.global.u32 [%rd4], %r4;";
  EXPECT_EQ(AfterLaunches(body, 9, true), AfterLaunches(body, 9, false));
}

TEST_F(RepeatedKernelsTest, ResultsAndCountsAreThoseOfLaunchesThatRan) {
  const std::string body = "ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, %r30; st.global.u32 [%rd4], %r4;";
  const auto repeated = AfterLaunches(body, 6, true);
  const std::vector<LaunchRecord> records = device_->TakeLaunches();
  EXPECT_EQ(repeated, AfterLaunches(body, 6, false));
  const std::vector<LaunchRecord> ran = device_->TakeLaunches();
  ASSERT_EQ(records.size(), 6u);
  ASSERT_EQ(ran.size(), 6u);
  EXPECT_EQ(records[5].totals.warp_instructions, ran[5].totals.warp_instructions);
  EXPECT_EQ(records[5].totals.global_load_bytes, ran[5].totals.global_load_bytes);
}

}  // namespace
}  // namespace warplings::vgpu
