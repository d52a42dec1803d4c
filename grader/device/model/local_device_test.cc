// SPDX-License-Identifier: Apache-2.0
// The rules that all devices share, over a backend that has none of its own.
#include "grader/device/model/local_device.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "grader/device/model/memory_refusals.h"
#include "grader/messages/findings.h"
#include "tests/support/fake_device.h"

namespace warplings::local_device_test {
namespace {

TEST(Observed, LinesOfManyLaunchesAreAddedUp) {
  Observed observed;
  std::uint64_t lines = 0;
  for (int launch = 0; launch < 4000; ++launch) {
    LaunchRecord record;
    record.kernel = launch % 2 ? "odd" : "even";
    for (int line = 1; line <= 1500; ++line) {
      record.lines.push_back({{"a.cu", line}, {}});
      record.lines.back().counts.warp_instructions = 1;
    }
    ASSERT_TRUE(observed.Add(std::move(record)));
  }
  const auto launches = observed.TakeLaunches();
  ASSERT_EQ(launches.size(), 4000u);
  std::uint64_t executed = 0;
  for (const LaunchRecord& launch : launches) {
    lines += launch.lines.capacity();
    for (const LineCounts& line : launch.lines) executed += line.counts.warp_instructions;
  }
  EXPECT_LE(lines, 2 * Observed::kMaximumLines) << "a vector that grows has up to twice the room";
  EXPECT_EQ(executed, 4000u * 1500u) << "no line's count is lost";
  LaunchRecord other;
  other.lines.resize(Observed::kMaximumLines);
  EXPECT_TRUE(observed.Add(other));
  EXPECT_EQ(observed.TakeLaunches()[0].lines.size(), Observed::kMaximumLines)
      << "what was taken has made room";
}

/// `c[i] = a[i] + b[i]` with pointers of the host: one line reads through two of the kernel's arguments.
TEST(Observed, FindingsOfALineAreAddedUpByTheArgument) {
  Observed observed;
  for (const int argument : {1, 2, 1}) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.kernel = "add";
    finding.where = {"a.cu", 3};
    finding.message = say::argument_outside_memory(say::reads(), say::Count(4, "byte"), argument);
    observed.Add(std::move(finding));
  }
  ASSERT_EQ(observed.findings.size(), 2u);
  EXPECT_EQ(observed.findings[0].count, 2u);
  EXPECT_EQ(observed.findings[1].count, 1u);
}

constexpr ClientId kClient = 1, kOther = 2;

class LocalDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    device_.AddKernel("_Z4noopv", {}, [this](const LaunchRequest&) -> CudaStatus {
      ++launches_;
      return Unit{};
    });
    device_.AddVariable("table", 64);
    module_ = Load(kClient);
    kernel_ = device_.FindKernel(module_, "_Z4noopv")->id;
    array_ = device_.Allocate(64, AllocationKind::kDevice)->address;
    stream_ = *device_.CreateStream(kClient, StreamFlags::kNonBlocking);
  }

  ModuleId Load(ClientId client) { return *device_.LoadModule(client, std::vector<std::byte>(8)); }
  CudaStatus Launch(StreamId stream, Dim3 block = {32, 1, 1}, std::uint32_t dynamic_shared = 0) {
    return device_.Launch({.kernel = kernel_,
                           .grid = {1, 1, 1},
                           .block = block,
                           .dynamic_shared_bytes = dynamic_shared,
                           .stream = stream,
                           .arguments = {}});
  }
  /// The array's first byte, read past all streams.
  int Now() { return std::to_integer<int>(*device_.Memory(array_, 1)); }

  int launches_ = 0;
  FakeDevice device_;
  ModuleId module_ = 0;
  KernelId kernel_ = 0;
  DevicePointer array_ = 0;
  StreamId stream_ = 0;
};

TEST_F(LocalDeviceTest, WorkOfANonBlockingStreamWaitsUntilItIsAskedFor) {
  const std::vector<std::byte> ones(64, std::byte{1});
  ASSERT_TRUE(device_.CopyIn(array_, ones, stream_).ok());
  ASSERT_TRUE(device_.Fill(array_, 2, 32, stream_).ok());
  ASSERT_TRUE(device_.CopyWithin(array_, array_ + 32, 8, stream_).ok());
  ASSERT_TRUE(Launch(stream_).ok());
  std::vector<std::string> pending;
  for (const PendingWork& work : device_.ListPendingWork()) pending.push_back(English(work.what));
  EXPECT_EQ(pending, (std::vector<std::string>{"copy of 64 bytes to the device", "memset of 32 bytes",
                                               "copy of 8 bytes within the device", "kernel noop"}));
  EXPECT_EQ(Now(), 0);
  EXPECT_EQ(launches_, 0);
  std::vector<std::byte> seen(64);
  ASSERT_TRUE(device_.CopyOut(seen, array_, stream_).ok());
  EXPECT_EQ(seen[0], std::byte{1});
  EXPECT_EQ(seen[8], std::byte{2});
  EXPECT_EQ(launches_, 1);
}

TEST_F(LocalDeviceTest, ACopyOfPinnedMemoryIsToldByItsDirection) {
  const DevicePointer pinned = device_.Allocate(64, AllocationKind::kPinned)->address;
  ASSERT_TRUE(device_.CopyWithin(array_, pinned, 4, stream_).ok());
  ASSERT_TRUE(device_.CopyWithin(pinned, array_, 4, stream_).ok());
  ASSERT_TRUE(device_.CopyWithin(pinned + 32, pinned, 4, stream_).ok());
  std::vector<std::string> pending;
  for (const PendingWork& work : device_.ListPendingWork()) pending.push_back(English(work.what));
  EXPECT_EQ(pending,
            (std::vector<std::string>{"copy of 4 bytes to the device", "copy of 4 bytes from the device",
                                      "copy of 4 bytes within host memory"}));
}

TEST_F(LocalDeviceTest, FreeingWaitsForTheDevice) {
  ASSERT_TRUE(Launch(stream_).ok());
  EXPECT_TRUE(device_.Free(array_).ok());
  EXPECT_EQ(launches_, 1);
  EXPECT_FALSE(device_.Free(array_).ok());
}

TEST_F(LocalDeviceTest, FreeingFreesEvenIfTheWorkFailed) {
  device_.AddKernel("_Z5failsv", {}, [](const LaunchRequest&) -> CudaStatus {
    return CudaFault{CudaError::kLaunchFailure, "the kernel stopped itself"};
  });
  const KernelId fails = device_.FindKernel(module_, "_Z5failsv")->id;
  ASSERT_TRUE(
      device_
          .Launch(
              {.kernel = fails, .grid = {1, 1, 1}, .block = {1, 1, 1}, .stream = stream_, .arguments = {}})
          .ok());
  EXPECT_EQ(device_.Free(array_).error().code, CudaError::kLaunchFailure);
  EXPECT_EQ(device_.live_allocations(), 0u);
}

TEST_F(LocalDeviceTest, AnAllocationOfNothingIsRefused) {
  EXPECT_EQ(device_.Allocate(0, AllocationKind::kDevice).error().code, CudaError::kInvalidValue);
}

TEST_F(LocalDeviceTest, WorkOnMemoryThatIsGoneIsAnErrorOfTheCallThatWaits) {
  const DevicePointer others = device_.Allocate(64, AllocationKind::kDevice)->address;
  ASSERT_TRUE(device_.Fill(others, 1, 64, stream_).ok());
  ASSERT_TRUE(device_.Release(others).ok());
  EXPECT_EQ(device_.SynchronizeStream(stream_).error().message, NotLiveMemory().message);
  EXPECT_TRUE(device_.SynchronizeStream(stream_).ok());
}

TEST_F(LocalDeviceTest, AModuleTakesItsKernelsAndVariablesAlong) {
  const std::size_t before = device_.live_allocations();
  ASSERT_TRUE(device_.FindVariable(module_, "table").ok());
  EXPECT_EQ(device_.FindVariable(module_, "table")->address, device_.FindVariable(module_, "table")->address);
  EXPECT_EQ(device_.FindKernel(module_, "_Z4noopv")->id, kernel_);
  ASSERT_TRUE(Launch(stream_).ok());
  EXPECT_FALSE(device_.UnloadModule(kOther, module_).ok());
  ASSERT_TRUE(device_.UnloadModule(kClient, module_).ok());
  EXPECT_EQ(device_.live_allocations(), before);
  EXPECT_EQ(device_.SynchronizeStream(stream_).error().code, CudaError::kInvalidDeviceFunction);
  EXPECT_EQ(Launch(0).error().code, CudaError::kInvalidDeviceFunction);
  EXPECT_EQ(device_.FindKernel(module_, "_Z4noopv").error().code, CudaError::kInvalidResourceHandle);
  EXPECT_EQ(device_.FindVariable(module_, "table").error().code, CudaError::kInvalidResourceHandle);
  EXPECT_EQ(launches_, 0);
  EXPECT_NE(Load(kClient), module_) << "numbers are not used again";
}

TEST_F(LocalDeviceTest, ACooperativeLaunchThatIsTooLargeIsRefused) {
  LaunchRequest request{
      .kernel = kernel_, .grid = {1, 1, 1}, .block = {1024, 1, 1}, .cooperative = true, .arguments = {}};
  EXPECT_TRUE(device_.Launch(request).ok());
  request.grid.x = 100'000;
  EXPECT_EQ(device_.Launch(request).error().code, CudaError::kCooperativeLaunchTooLarge);
  request.cooperative = false;
  EXPECT_TRUE(device_.Launch(request).ok());
}

TEST_F(LocalDeviceTest, LaunchesAreHeldToTheCardsLimits) {
  EXPECT_EQ(Launch(0, {1025, 1, 1}).error().code, CudaError::kInvalidConfiguration);
  EXPECT_EQ(Launch(0, {0, 1, 1}).error().code, CudaError::kInvalidConfiguration);
  EXPECT_FALSE(Launch(0, {32, 1, 1}, 49153).ok());
  EXPECT_FALSE(device_.SetMaxDynamicShared(kernel_, 1 << 20).ok());
  ASSERT_TRUE(device_.SetMaxDynamicShared(kernel_, 49153).ok());
  EXPECT_TRUE(Launch(0, {32, 1, 1}, 49153).ok());
  EXPECT_EQ(launches_, 1);
}

TEST_F(LocalDeviceTest, AClientGoesWithAllThatItHad) {
  const ModuleId module = Load(kOther);
  ASSERT_TRUE(device_.FindVariable(module, "table").ok());
  ASSERT_TRUE(Launch(stream_).ok());
  device_.DropClient(kClient);
  EXPECT_TRUE(device_.ListPendingWork().empty());
  EXPECT_EQ(launches_, 0);
  EXPECT_EQ(device_.live_allocations(), 2u)
      << "the array, which the caller releases, and the other's variable";
  EXPECT_EQ(device_.Fill(0, 0, 0, stream_).error().code, CudaError::kInvalidResourceHandle);
  EXPECT_FALSE(device_.FindKernel(module_, "_Z4noopv").ok());
  EXPECT_TRUE(device_.FindKernel(module, "_Z4noopv").ok());
}

TEST_F(LocalDeviceTest, EqualFindingsAreOne) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = "refused";
  for (int i = 0; i < 3; ++i) device_.AddFinding(finding);
  finding.message = "refused otherwise";
  device_.AddFinding(finding);
  const std::vector<Finding> findings = device_.TakeFindings();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].count, 3u);
  EXPECT_TRUE(device_.TakeFindings().empty());
  for (std::size_t i = 0; i < 2 * Observed::kMaximumFindings; ++i) {
    finding.message = std::to_string(i);
    device_.AddFinding(finding);
  }
  EXPECT_EQ(device_.TakeFindings().size(), Observed::kMaximumFindings);
}

}  // namespace
}  // namespace warplings::local_device_test
