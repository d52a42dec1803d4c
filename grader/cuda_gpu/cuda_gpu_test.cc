// SPDX-License-Identifier: Apache-2.0
//
// What a card does behind LocalDevice. On a machine without one the tests that need it are skipped,
// and say why.
#include "grader/cuda_gpu/cuda_gpu.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <utility>

#include "grader/cuda_gpu/address_window.h"
#include "grader/cuda_gpu/driver_api.h"
#include "grader/cuda_gpu/shared_host_memory.h"

namespace warplings {
namespace {

constexpr ClientId kClient = 1;

/// A device takes over descriptor 1, where the driver writes what kernels print; the tests' own output goes
/// on through a copy of it.
std::FILE* const descriptor_1 = stdout;
const bool kOutputIsKept = [] {
  std::FILE* copy = fdopen(dup(STDOUT_FILENO), "w");
  if (copy != nullptr) stdout = copy;
  return copy != nullptr;
}();

std::vector<std::byte> Fatbin(const std::string& name = "kernels") {
  std::ifstream stream(WARPLINGS_TEST_FATBINS "/" + name + ".fatbin", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Arguments as a kernel's block of them: each at a multiple of its size.
template <class... Values>
std::vector<std::byte> Arguments(Values... values) {
  std::vector<std::byte> block;
  const auto add = [&block](const auto& value) {
    block.resize((block.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(block.data() + block.size() - sizeof value, &value, sizeof value);
  };
  (add(values), ...);
  return block;
}

class CudaGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto driver = cuda_gpu::LoadDriver(); !driver) GTEST_SKIP() << driver.error().message;
    ASSERT_TRUE(kOutputIsKept);
    auto gpu = MakeCudaGpu(0);
    ASSERT_TRUE(gpu.ok()) << gpu.error().message;
    gpu_ = std::move(*gpu);
    const auto module = gpu_->LoadModule(kClient, Fatbin());
    ASSERT_TRUE(module.ok()) << module.error().message;
    module_ = *module;
  }

  DevicePointer Allocate(std::uint64_t bytes, AllocationKind kind = AllocationKind::kDevice) {
    const auto allocation = gpu_->Allocate(bytes, kind);
    EXPECT_TRUE(allocation.ok());
    return allocation->address;
  }

  CudaStatus Launch(std::string_view kernel, Dim3 grid, Dim3 block, std::vector<std::byte> arguments,
                    std::uint32_t dynamic_shared = 0, StreamId stream = 0) {
    const auto info = gpu_->FindKernel(module_, kernel);
    if (!info) return info.error();
    return gpu_->Launch({.kernel = info->id,
                         .grid = grid,
                         .block = block,
                         .dynamic_shared_bytes = dynamic_shared,
                         .stream = stream,
                         .cooperative = false,
                         .arguments = std::move(arguments)});
  }

  std::vector<int> Read(DevicePointer address, std::size_t count) {
    std::vector<int> values(count);
    EXPECT_TRUE(gpu_->CopyOut(std::as_writable_bytes(std::span(values)), address, 0).ok());
    return values;
  }

  std::unique_ptr<LocalDevice> gpu_;
  ModuleId module_ = 0;
};

TEST(DriverTest, IsThereOrSaysInOneLineWhatIsMissing) {
  const auto driver = cuda_gpu::LoadDriver();
  if (driver.ok()) return;
  EXPECT_NE(English(driver.error().message), "");
  EXPECT_EQ(English(driver.error().message).find('\n'), std::string::npos);
  EXPECT_NE(English(driver.error().next_step), "");
}

TEST(SharedHostMemoryTest, ItsDescriptorIsTheSameMemory) {
  auto memory = cuda_gpu::SharedHostMemory::Create(5000);
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->mapped_bytes(), 8192u);
  std::memcpy(reinterpret_cast<void*>(memory->address() + 4999), "x", 1);
  char byte = 0;
  EXPECT_EQ(pread(memory->fd(), &byte, 1, 4999), 1);
  EXPECT_EQ(byte, 'x');
  EXPECT_NE(ftruncate(memory->fd(), 0), 0) << "a client could shrink it";
  const auto other = cuda_gpu::SharedHostMemory::Create(1);
  EXPECT_GE(other->address(), memory->address() + 8192);
}

bool IsInWindow(DevicePointer address) {
  return address >= kFirstDeviceAddress && address < kEndOfDeviceAddresses;
}

/// In a process of its own, since nothing gives the addresses back.
TEST(AddressWindowTest, WhatTheSystemPlacesLiesBelowItsEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cuda_gpu::OccupyHighAddresses();
        bool all = true;
        for (const std::size_t bytes : {std::size_t{1} << 40, std::size_t{1} << 21, std::size_t{4096}}) {
          void* at = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
          all = all && IsInWindow(reinterpret_cast<DevicePointer>(at));
        }
        std::exit(all ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(CudaGpuTest, AllMemoryLiesInTheWindow) {
  for (const auto kind : {AllocationKind::kDevice, AllocationKind::kManaged, AllocationKind::kPinned}) {
    EXPECT_TRUE(IsInWindow(Allocate(1 << 20, kind)));
  }
  const auto variable = gpu_->FindVariable(module_, "offset");
  ASSERT_TRUE(variable.ok());
  EXPECT_TRUE(IsInWindow(variable->address));
}

TEST_F(CudaGpuTest, RunsAKernelOnArraysAndAVariable) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 0);
  const DevicePointer in = Allocate(4000), out = Allocate(4000);
  ASSERT_TRUE(gpu_->CopyIn(in, std::as_bytes(std::span(values)), 0).ok());
  ASSERT_TRUE(Launch("add_offset", {4, 1, 1}, {256, 1, 1}, Arguments(in, out, 1000)).ok());
  EXPECT_EQ(Read(out, 1000)[999], 1004);

  const auto variable = gpu_->FindVariable(module_, "offset");
  ASSERT_TRUE(variable.ok());
  const int offset = 100;
  ASSERT_TRUE(gpu_->CopyIn(variable->address, std::as_bytes(std::span(&offset, 1)), 0).ok());
  ASSERT_TRUE(Launch("add_offset", {4, 1, 1}, {256, 1, 1}, Arguments(in, out, 1000)).ok());
  EXPECT_EQ(Read(out, 1000)[0], 100);
  const std::vector<LaunchRecord> launches = gpu_->TakeLaunches();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "add_offset");
  EXPECT_TRUE(launches[0].completed);
  EXPECT_GT(launches[0].registers, 0u);
  EXPECT_TRUE(gpu_->TakeFindings().empty());
}

// Its memory would be the card's process's, and the program's accesses end in a segmentation fault.
TEST_F(CudaGpuTest, AManagedVariableIsRefusedByName) {
  const auto module = gpu_->LoadModule(kClient, Fatbin("managed"));
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, CudaError::kNotSupported);
  EXPECT_NE(English(module.error().message).find("__managed__"), std::string::npos);
}

TEST_F(CudaGpuTest, ParametersAreThoseOfTheContract) {
  const auto info = gpu_->FindKernel(module_, "fill_shared");
  ASSERT_TRUE(info.ok());
  ASSERT_EQ(info->parameters.size(), 2u);
  EXPECT_EQ(info->parameters[1].offset, 8u);
  EXPECT_EQ(info->parameters[1].bytes, 1u);
  EXPECT_EQ(info->argument_bytes, 9u);
  EXPECT_FALSE(gpu_->FindKernel(module_, "no_such_kernel").ok());
  EXPECT_FALSE(gpu_->FindVariable(module_, "no_such_variable").ok());
}

TEST_F(CudaGpuTest, DynamicSharedMemoryIsGivenUpToTheLimit) {
  const DevicePointer out = Allocate(4 * 64);
  ASSERT_TRUE(Launch("fill_shared", {}, {64, 1, 1}, Arguments(out, char{3}), 256).ok());
  EXPECT_EQ(Read(out, 64)[0], 189);
  const auto kernel = gpu_->FindKernel(module_, "fill_shared");
  EXPECT_FALSE(Launch("fill_shared", {}, {64, 1, 1}, Arguments(out, char{3}), 49153).ok());
  ASSERT_TRUE(gpu_->SetMaxDynamicShared(kernel->id, 60000).ok());
  EXPECT_TRUE(Launch("fill_shared", {}, {64, 1, 1}, Arguments(out, char{3}), 49153).ok());
  EXPECT_EQ(Read(out, 64)[63], 0);
}

TEST_F(CudaGpuTest, AnImpossibleLaunchIsRefusedInWords) {
  const DevicePointer out = Allocate(4);
  const CudaStatus status = Launch("write_to", {}, {1056, 1, 1}, Arguments(out));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, CudaError::kInvalidConfiguration);
  EXPECT_NE(English(status.error().message).find("1056 threads; a block can have at most"), std::string::npos)
      << status.error().message;
}

TEST_F(CudaGpuTest, WorkOfANonBlockingStreamIsPendingUntilAskedFor) {
  const DevicePointer out = Allocate(4);
  ASSERT_TRUE(gpu_->Fill(out, 0, 4, 0).ok());
  const auto stream = gpu_->CreateStream(kClient, StreamFlags::kNonBlocking);
  ASSERT_TRUE(Launch("write_to", {}, {}, Arguments(out), 0, *stream).ok());
  ASSERT_EQ(gpu_->ListPendingWork().size(), 1u);
  EXPECT_EQ(English(gpu_->ListPendingWork()[0].what), "kernel write_to");
  EXPECT_EQ(Read(out, 1)[0], 0);
  ASSERT_TRUE(gpu_->SynchronizeStream(*stream).ok());
  EXPECT_EQ(Read(out, 1)[0], 1);
}

TEST_F(CudaGpuTest, EventsMeasureTheCardsTime) {
  const DevicePointer data = Allocate(std::uint64_t{256} << 20);
  const auto start = gpu_->CreateEvent(kClient), stop = gpu_->CreateEvent(kClient);
  ASSERT_TRUE(gpu_->RecordEvent(*start, 0).ok());
  ASSERT_TRUE(gpu_->Fill(data, 1, std::uint64_t{256} << 20, 0).ok());
  ASSERT_TRUE(gpu_->RecordEvent(*stop, 0).ok());
  const auto elapsed = gpu_->ElapsedMilliseconds(*start, *stop);
  ASSERT_TRUE(elapsed.ok());
  EXPECT_GT(*elapsed, 0.01f);  // 256 MiB at 20 TB/s
  EXPECT_LT(*elapsed, 1000.0f);
}

TEST_F(CudaGpuTest, ATimedRunIsAsLongByTheCardAndShorterThanByTheHost) {
  const std::uint64_t bytes = std::uint64_t{256} << 20;
  const DevicePointer data = Allocate(bytes);
  const auto time_fills = [&](int count) {
    EXPECT_TRUE(gpu_->BeginTiming().ok());
    for (int i = 0; i < count; ++i) EXPECT_TRUE(gpu_->Fill(data, 1, bytes, 0).ok());
    const auto timing = gpu_->EndTiming();
    EXPECT_TRUE(timing.ok());
    return *timing;
  };
  static_cast<void>(time_fills(1));
  const Timing one = time_fills(1), ten = time_fills(10);
  EXPECT_TRUE(one.measured);
  // No card writes 20 TB/s, and none needs a second for a quarter of a GiB.
  EXPECT_GT(one.device_seconds, 13e-6);
  EXPECT_LT(one.device_seconds, 1);
  EXPECT_GT(ten.device_seconds, 5 * one.device_seconds);
  EXPECT_GE(ten.host_seconds, ten.device_seconds);
  EXPECT_GT(one.default_clock_mhz, 0);
}

TEST_F(CudaGpuTest, MemoryIsSharedWithTheProgramAtTheSameAddress) {
  for (const AllocationKind kind : {AllocationKind::kManaged, AllocationKind::kPinned}) {
    const auto allocation = gpu_->Allocate(4, kind);
    ASSERT_TRUE(allocation.ok()) << allocation.error().message;
    ASSERT_TRUE(Launch("write_to", {}, {}, Arguments(allocation->address)).ok());
    ASSERT_TRUE(gpu_->SynchronizeAll().ok());
    int value = 0;
    EXPECT_EQ(pread(allocation->shared_fd, &value, 4, 0), 4);
    EXPECT_EQ(value, 1);
    EXPECT_TRUE(gpu_->Free(allocation->address).ok());
  }
}

TEST_F(CudaGpuTest, WhatKernelsPrintIsTaken) {
  std::FILE* const kept = std::exchange(stdout, descriptor_1);
  ASSERT_TRUE(Launch("prints", {}, {}, Arguments(42)).ok());
  ASSERT_TRUE(gpu_->SynchronizeAll().ok());
  const std::string first = gpu_->TakePrinted(), second = gpu_->TakePrinted();
  stdout = kept;
  EXPECT_EQ(first, "number 42\n");
  EXPECT_EQ(second, "");
}

/// An error that poisons the context takes the whole process with it: each in a process of its own.
class PoisonTest : public CudaGpuTest {
 protected:
  void SetUp() override {
    // The child begins anew instead of by a fork, which a driver does not survive.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (const auto driver = cuda_gpu::LoadDriver(); !driver) GTEST_SKIP() << driver.error().message;
  }
};

TEST_F(PoisonTest, AnIllegalAddressIsAFindingAndLaterCallsFail) {
  EXPECT_EXIT(
      {
        CudaGpuTest::SetUp();
        static_cast<void>(Launch("write_to", {}, {}, Arguments(DevicePointer{64})).ok());
        const CudaStatus status = gpu_->SynchronizeAll();
        const bool right_code = !status.ok() && status.error().code == CudaError::kIllegalAddress;
        const auto findings = gpu_->TakeFindings();
        const bool one = findings.size() == 1 && findings[0].kind == FindingKind::kOutOfBounds &&
                         findings[0].kernel == "write_to";
        const bool dead = !gpu_->Allocate(4, AllocationKind::kDevice).ok();
        _exit(right_code && one && dead ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(PoisonTest, AFailedAssertIsATrap) {
  EXPECT_EXIT(
      {
        CudaGpuTest::SetUp();
        static_cast<void>(Launch("asserts", {}, {}, Arguments(8)).ok());
        const CudaStatus status = gpu_->SynchronizeAll();
        const auto findings = gpu_->TakeFindings();
        const bool right = !status.ok() && status.error().code == CudaError::kAssert &&
                           findings.size() == 1 && findings[0].kind == FindingKind::kTrap;
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warplings
