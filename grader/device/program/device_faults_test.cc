// SPDX-License-Identifier: Apache-2.0
// Tests the device process when the system refuses a request: the first allocation, then the second, and so
// on; likewise mappings, descriptors and threads. Each refusal must cause one clean error, after which the
// same work succeeds in the same process with as much free memory as before.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>

#include "grader/core/layout.h"
#include "grader/device/client.h"
#include "tests/support/fail_nth.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings {
namespace {

constexpr ClientId kJudge = 0;
/// A launch that takes longer than a few milliseconds gets several host threads.
constexpr std::uint32_t kTurnsForThreads = 5000;
constexpr std::uint32_t kBlocks = 256, kThreads = 32, kCount = kBlocks * kThreads;

/// out[i] = in[i] + 1, by way of shared memory, after as many turns of a loop as it is told.
constexpr const char* kPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry add_one(.param .u64 in, .param .u64 out, .param .u32 turns)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r8, [turns];
TURN:
  setp.eq.u32 %p1, %r8, 0;
  @%p1 bra TURNED;
  sub.u32 %r8, %r8, 1;
  bra TURN;
TURNED:
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.u32 %r5, [%rd4];
  shl.b32 %r6, %r3, 2;
  mov.u32 %r7, tile;
  add.u32 %r6, %r6, %r7;
  st.shared.u32 [%r6], %r5;
  bar.sync 0;
  ld.shared.u32 %r5, [%r6];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd5], %r5;
  ret;
}
)";

/// All that a judge's session needs of a device, from load to findings. The fault of the first call that
/// fails.
CudaStatus DoWork(DeviceClient& device, std::uint32_t turns) {
  device.SetObservation({.profile = true, .arrays = true, .accesses = true});
  const auto module = device.LoadModule(kJudge, vgpu::WrapPtx(kPtx));
  if (!module) return module.error();
  const auto kernel = device.FindKernel(*module, "add_one");
  if (!kernel) return kernel.error();
  constexpr std::uint64_t kBytes = kCount * sizeof(std::uint32_t);
  const auto in = device.Allocate(kBytes, AllocationKind::kDevice);
  if (!in) return in.error();
  const auto out = device.Allocate(kBytes, AllocationKind::kManaged);
  if (!out) return out.error();
  if (auto labelled = device.SetLabel(in->address, "in"); !labelled) return labelled;
  std::vector<std::uint32_t> values(kCount);
  std::iota(values.begin(), values.end(), 0u);
  if (auto copied = device.CopyIn(in->address, vgpu::AsBytes(values), 0); !copied) return copied;
  const auto stream = device.CreateStream(kJudge, StreamFlags::kNonBlocking);
  if (!stream) return stream.error();
  const auto event = device.CreateEvent(kJudge);
  if (!event) return event.error();
  const LaunchRequest launch{
      .kernel = kernel->id,
      .grid = {kBlocks, 1, 1},
      .block = {kThreads, 1, 1},
      .stream = *stream,
      .arguments = vgpu::Arguments().Add(in->address).Add(out->address).Add(turns).bytes(),
  };
  if (auto launched = device.Launch(launch); !launched) return launched;
  if (auto recorded = device.RecordEvent(*event, *stream); !recorded) return recorded;
  if (auto ended = device.SynchronizeEvent(*event); !ended) return ended;
  std::vector<std::uint32_t> results(kCount);
  if (auto copied = device.CopyOut(std::as_writable_bytes(std::span(results)), out->address, 0); !copied) {
    return copied;
  }
  for (std::uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(results[i], i + 1);
  device.ListPendingWork();
  device.TakeFindings();
  device.TakeLaunches();
  static_cast<void>(device.Ask(protocol::ListArrayWriters{}).ok());
  device.TakeProfile();
  device.TakePrinted();
  if (device.GetMemoryInfo().total_bytes == 0)
    return CudaFault{CudaError::kMemoryAllocation, "no memory info"};
  if (auto destroyed = device.DestroyEvent(kJudge, *event); !destroyed) return destroyed;
  if (auto destroyed = device.DestroyStream(kJudge, *stream); !destroyed) return destroyed;
  if (auto freed = device.Free(out->address); !freed) return freed;
  if (auto freed = device.Free(in->address); !freed) return freed;
  return device.UnloadModule(kJudge, *module);
}

class DeviceFaults : public testing::TestWithParam<FaultKind> {
 protected:
  void SetUp() override {
    // The device process gets it, too, under the same number, which must not be one that it is given anything
    // else under.
    constexpr int kFirstNumber = 50;
    const UniqueFd file(memfd_create("fail_nth", MFD_CLOEXEC));
    descriptor_ = fcntl(file.get(), F_DUPFD, kFirstNumber);
    ASSERT_GE(descriptor_, kFirstNumber);
    ASSERT_EQ(ftruncate(descriptor_, sizeof(FailNth)), 0);
    void* mapped = mmap(nullptr, sizeof(FailNth), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    page_ = static_cast<FailNth*>(mapped);
  }

  void TearDown() override {
    if (page_) munmap(page_, sizeof(FailNth));
    if (descriptor_ >= 0) close(descriptor_);
  }

  /// A device process whose `n`-th request of this kind fails.
  Result<std::unique_ptr<DeviceClient>> Start(unsigned long n) {
    new (page_) FailNth;
    page_->kind = GetParam();
    page_->n = n;
    setenv(FailNth::kVariable, std::to_string(descriptor_).c_str(), 1);
    setenv("LD_PRELOAD", FAIL_NTH_LIBRARY, 1);
    auto device = DeviceClient::StartProcess(ThisLayout().DeviceProgram(), "virtual:a100");
    unsetenv("LD_PRELOAD");
    unsetenv(FailNth::kVariable);
    return device;
  }

  unsigned long Count() const { return page_->counts[static_cast<int>(GetParam())]; }

  int descriptor_ = -1;
  FailNth* page_ = nullptr;
};

TEST_P(DeviceFaults, EachEndsInACleanError) {
  auto whole = Start(0);
  ASSERT_TRUE(whole.ok()) << whole.error().message;
  const unsigned long at_start = Count();
  const auto free_bytes = (*whole)->GetMemoryInfo().free_bytes;
  const std::uint32_t turns = GetParam() == FaultKind::kThread ? kTurnsForThreads : 0;
  ASSERT_TRUE(DoWork(**whole, turns).ok());
  const unsigned long requests = Count();
  ASSERT_GT(requests, at_start) << "nothing of this kind is asked for: the library is not in the process";
  EXPECT_EQ((*whole)->GetMemoryInfo().free_bytes, free_bytes);
  whole->reset();

  // libseccomp 2.5 does not end when it is refused memory at the wrong place (seccomp_export_bpf); it is
  // called before any client is there.
  const unsigned long first_request = GetParam() == FaultKind::kAllocation ? at_start + 1 : 1;
  unsigned long refused_starts = 0, faults = 0, unnoticed = 0;
  for (unsigned long n = first_request; n <= requests; ++n) {
    SCOPED_TRACE("request " + std::to_string(n) + " of " + std::to_string(requests));
    auto device = Start(n);
    if (!device) {
      EXPECT_LE(n, at_start);
      EXPECT_FALSE(device.error().message.empty());
      ++refused_starts;
      continue;
    }
    const CudaStatus first = DoWork(**device, turns);
    EXPECT_TRUE((*device)->alive());
    if (!page_->fired) {
      // How much is asked for differs by a few, with how host threads share the blocks.
      EXPECT_TRUE(first.ok());
      ++unnoticed;
      continue;
    }
    if (!first) {
      EXPECT_NE(first.error().code, CudaError::kUnknown) << first.error().message;
      EXPECT_FALSE(first.error().message.empty());
    }
    ++(first.ok() ? unnoticed : faults);
    if (!(*device)->alive()) continue;
    EXPECT_TRUE((*device)->Reset().ok());
    (*device)->TakeFindings();
    const CudaStatus second = DoWork(**device, turns);
    EXPECT_TRUE(second.ok()) << second.error().message;
    EXPECT_EQ((*device)->GetMemoryInfo().free_bytes, free_bytes);
    EXPECT_TRUE((*device)->TakeFindings().empty());
  }
  std::printf("%lu requests: %lu refused starts, %lu faults, %lu without effect\n", requests, refused_starts,
              faults, unnoticed);
}

std::string NameOf(const testing::TestParamInfo<FaultKind>& info) {
  constexpr const char* kNames[] = {"Allocations", "Mappings", "Descriptors", "Threads"};
  return kNames[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(All, DeviceFaults,
                         testing::Values(FaultKind::kAllocation, FaultKind::kMapping, FaultKind::kDescriptor,
                                         FaultKind::kThread),
                         NameOf);

}  // namespace
}  // namespace warplings
