// SPDX-License-Identifier: Apache-2.0
// Tests who is recorded as the writer of the judge's arrays, and the traffic of launches with them.
#include "grader/virtual_gpu/memory/watched_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

/// k(u32* in, u32* out): each thread copies its own word from %rd3 to %rd4. Threads above 63 do nothing.
std::string KernelOf(const std::string& body, const std::string& variables) {
  return R"(.version 8.0
.target sm_80
.address_size 64
)" + variables +
         R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u64 %rd2, [k_param_1];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd5, %r4, 4;
  add.s64 %rd3, %rd1, %rd5;
  add.s64 %rd4, %rd2, %rd5;
  setp.gt.u32 %p1, %r4, 63;
  @%p1 ret;
)" + body +
         "\n  ret;\n}\n";
}
constexpr const char* kCopyAWord = R"(
  ld.global.u32 %r5, [%rd3];
  st.global.u32 [%rd4], %r5;)";

class WatchedArraysTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kWords = 64, kBytes = 4 * kWords;
  static constexpr ClientId kSubmission = 1;

  void SetUp() override {
    auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {.host_threads = 2});
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(device).value();
    in_ = Make("in");
    out_ = Make("out");
    scratch_ = Make("");
    Use(kCopyAWord);
    device_->SetObservation({.arrays = true});
  }

  DevicePointer Make(const char* label, AllocationKind kind = AllocationKind::kDevice) {
    const auto array = device_->Allocate(kBytes, kind);
    EXPECT_TRUE(array.ok());
    if (*label) {
      EXPECT_TRUE(device_->SetLabel(array->address, label).ok());
    }
    EXPECT_TRUE(device_->Fill(array->address, 1, kBytes, 0).ok());
    return array->address;
  }
  void Use(const std::string& body, const std::string& variables = "") {
    const auto module = device_->LoadModule(kSubmission, WrapPtx(KernelOf(body, variables)));
    ASSERT_TRUE(module.ok()) << module.error().message;
    const auto kernel = device_->FindKernel(*module, "k");
    ASSERT_TRUE(kernel.ok()) << kernel.error().message;
    kernel_ = kernel->id;
  }
  void Launch(DevicePointer from, DevicePointer to, StreamId stream = 0) {
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = {2, 1, 1};
    request.block = {48, 1, 1};
    request.stream = stream;
    request.arguments = Arguments().Add(from).Add(to).bytes();
    ASSERT_TRUE(device_->Launch(request).ok());
  }
  ArrayWriters Out() const {
    for (const ArrayWriters& writers : device_->ListArrayWriters()) {
      if (writers.label == "out") return writers;
    }
    ADD_FAILURE() << "out is not watched";
    return {};
  }

  std::unique_ptr<LocalDevice> device_;
  DevicePointer in_ = 0, out_ = 0, scratch_ = 0;
  KernelId kernel_ = 0;
};

TEST_F(WatchedArraysTest, WhatWasThereBeforeIsNobodys) {
  EXPECT_EQ(Out().by_nobody, kWords);
  EXPECT_EQ(device_->ListArrayWriters().size(), 2u) << "a submission's own memory is not watched";
}

TEST_F(WatchedArraysTest, AKernelsThreadsAreCounted) {
  Launch(in_, out_);
  const ArrayWriters out = Out();
  EXPECT_EQ(out.by_kernel, kWords);
  EXPECT_EQ(out.threads, kWords);
  EXPECT_EQ(out.most_by_a_thread, 1u);
  EXPECT_EQ(out.after_host_read + out.after_copy, 0u);
}

TEST_F(WatchedArraysTest, OneThreadThatStoresAllIsSeen) {
  Use(R"(
  setp.ne.u32 %p2, %r4, 5;
  @%p2 ret;
  mov.u32 %r6, 0;
LOOP:
  mul.wide.u32 %rd6, %r6, 4;
  add.s64 %rd7, %rd2, %rd6;
  st.global.u32 [%rd7], %r6;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p3, %r6, 64;
  @%p3 bra LOOP;)");
  Launch(in_, out_);
  EXPECT_EQ(Out().threads, 1u);
  EXPECT_EQ(Out().most_by_a_thread, kWords);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_GT(launches[0].longest_warp, 6 * kWords) << "its warp executed nearly all";
  EXPECT_LT(launches[0].longest_warp, launches[0].totals.warp_instructions);
}

TEST_F(WatchedArraysTest, TheLastWriterCounts) {
  Launch(in_, out_);
  EXPECT_TRUE(device_->Fill(out_ + 8, 0, 8, 0).ok());
  EXPECT_TRUE(device_->CopyWithin(out_ + 32, in_, 4, 0).ok());
  const std::vector<std::uint32_t> host(3);
  EXPECT_TRUE(device_->CopyIn(out_ + 64, AsBytes(host), 0).ok());
  ArrayWriters out = Out();
  EXPECT_EQ(out.by_fill, 2u);
  EXPECT_EQ(out.by_copy, 4u);
  EXPECT_EQ(out.by_kernel, kWords - 6);
  EXPECT_EQ(out.after_host_read, 3u) << "the host replaced what the kernel had stored";
  Launch(in_, out_);
  out = Out();
  EXPECT_EQ(out.by_kernel, kWords) << "a kernel that stores over them makes them its own";
  EXPECT_EQ(out.after_copy, kWords) << "and ran after a copy";
  EXPECT_EQ(out.after_host_read, 0u) << "the host gave, and read nothing";
}

TEST_F(WatchedArraysTest, CopiesOfWhatTheHostMayHaveComputedAreMarked) {
  std::vector<std::uint32_t> host(kWords);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(host));
  EXPECT_TRUE(device_->CopyIn(out_, AsBytes(host), 0).ok());
  EXPECT_TRUE(device_->CopyWithin(out_ + 32, in_, 4, 0).ok());
  EXPECT_EQ(Out().by_copy, kWords);
  EXPECT_EQ(Out().after_host_read, 0u) << "of what it had before the call";
  EXPECT_TRUE(device_->CopyOut(bytes, in_, 0).ok());
  EXPECT_EQ(Out().after_host_read, 0u) << "it has read since, and stored nothing";
  EXPECT_TRUE(device_->CopyIn(scratch_, AsBytes(host), 0).ok());
  EXPECT_TRUE(device_->CopyWithin(out_, scratch_, 8, 0).ok());
  EXPECT_TRUE(device_->CopyIn(out_ + 8, AsBytes(host).subspan(0, 12), 0).ok());
  EXPECT_EQ(Out().by_copy, kWords);
  EXPECT_EQ(Out().after_host_read, 5u);
}

TEST_F(WatchedArraysTest, LaunchesAfterTheHostHasReadAreMarked) {
  std::vector<std::byte> host(4);
  Launch(in_, scratch_);
  ASSERT_TRUE(device_->CopyOut(host, in_, 0).ok());
  EXPECT_EQ(Out().after_host_read, 0u);
  Launch(scratch_, out_);
  EXPECT_EQ(Out().after_host_read, kWords);
  EXPECT_EQ(Out().after_shared_write, 0u);
}

TEST_F(WatchedArraysTest, ManagedMemoryThatAKernelWritesIsReadByTheHost) {
  const DevicePointer managed = Make("", AllocationKind::kManaged);
  device_->SetObservation({.arrays = true});
  Launch(managed, out_);
  EXPECT_EQ(Out().after_host_read, 0u) << "reading it tells the host nothing";
  Launch(in_, managed);
  Launch(managed, out_);
  EXPECT_EQ(Out().after_host_read, kWords);
  EXPECT_EQ(Out().after_shared_write, kWords);
  std::vector<std::byte> host(4);
  ASSERT_TRUE(device_->CopyOut(host, in_, 0).ok());
  Launch(managed, out_);
  EXPECT_EQ(Out().after_host_read, kWords);
  EXPECT_EQ(Out().after_shared_write, 0u) << "the copy is known to have read";
}

/// The host need not wait for a launch to end: it sees managed and pinned memory while a kernel runs.
TEST_F(WatchedArraysTest, ALaunchThatWritesAndReadsManagedMemoryTalksWithTheHost) {
  for (const AllocationKind kind : {AllocationKind::kManaged, AllocationKind::kPinned}) {
    in_ = Make("", kind);
    for (const char* body :
         {"ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3], %r5; st.global.u32 [%rd4], %r5;",
          "st.global.u32 [%rd4], 1; st.global.u32 [%rd3], 1; ld.volatile.global.u32 %r5, [%rd3];",
          "atom.global.add.u32 %r5, [%rd3], 1; st.global.u32 [%rd4], %r5;",
          "st.global.u32 [%rd3], 1; ld.global.nc.v2.u32 {%r5, %r6}, [%rd1]; st.global.u32 [%rd4], %r5;"}) {
      Use(body);
      device_->SetObservation({.arrays = true});
      Launch(in_, out_);
      EXPECT_EQ(Out().in_exchange_with_host, kWords) << body;
      EXPECT_EQ(Out().after_host_read, 0u) << body;
    }
  }
}

/// What goes out and what comes in need not be the same memory, nor an allocation, nor a load.
TEST_F(WatchedArraysTest, TheTwoWaysOfAnExchangeMayBeApart) {
  const DevicePointer managed = Make("", AllocationKind::kManaged);
  const std::string pinned = std::to_string(Make("", AllocationKind::kPinned));
  const std::string read_pinned = "mov.u64 %rd6, " + pinned + "; ld.global.u32 %r5, [%rd6];";
  const std::string write_managed = "st.global.u32 [%rd3], %r4;", store = "st.global.u32 [%rd4], %r5;";
  for (const auto& [body, variables] : std::initializer_list<std::pair<std::string, std::string>>{
           {write_managed + read_pinned + store, ""},
           {"mov.u64 %rd6, answer; st.global.u32 [%rd6], %r4;" + read_pinned + store,
            ".global .attribute(.managed) .align 4 .u32 answer;"},
           {write_managed + "ld.global.u32 %r5, [answer];" + store,
            ".global .attribute(.managed) .align 4 .u32 answer;"},
           {write_managed + "mov.u64 %rd6, " + pinned + "; mov.u32 %r6, arrived;" +
                "cp.async.ca.shared.global [%r6], [%rd6], 4; cp.async.wait_all; ld.shared.u32 %r5, [%r6];" +
                store,
            ".shared .align 4 .u32 arrived;"}}) {
    Use(body, variables);
    device_->SetObservation({.arrays = true});
    Launch(managed, out_);
    EXPECT_EQ(Out().in_exchange_with_host, kWords) << body;
  }
}

TEST_F(WatchedArraysTest, OneWayBetweenKernelAndHostIsNoExchange) {
  const DevicePointer managed = Make("", AllocationKind::kManaged);
  Use("st.global.u32 [%rd4], %r4; ld.global.u32 %r5, [%rd3];");
  device_->SetObservation({.arrays = true});
  Launch(managed, out_);
  EXPECT_EQ(Out().in_exchange_with_host, 0u) << "it reads what the host has written before";
  Use("st.global.u32 [%rd4], %r4; st.global.u32 [%rd3], %r4;");
  device_->SetObservation({.arrays = true});
  Launch(managed, out_);
  EXPECT_EQ(Out().in_exchange_with_host, 0u) << "it says how far it is";
  Launch(managed, scratch_);
  EXPECT_EQ(Out().in_exchange_with_host, 0u) << "another launch";
}

/// A stream that nothing orders before the read runs as late as it may: what its kernel stores is stored
/// after the host has read, whenever it was asked for.
TEST_F(WatchedArraysTest, TheOrderIsThatInWhichWorkRuns) {
  const auto stream = device_->CreateStream(kSubmission, StreamFlags::kNonBlocking);
  ASSERT_TRUE(stream.ok());
  Launch(in_, out_, *stream);
  std::vector<std::byte> host(4);
  ASSERT_TRUE(device_->CopyOut(host, in_, 0).ok());
  ASSERT_TRUE(device_->SynchronizeStream(*stream).ok());
  EXPECT_EQ(Out().after_host_read, kWords);
}

TEST_F(WatchedArraysTest, AnAtomicThatChangesNothingIsAWrite) {
  Use("red.global.or.b32 [%rd3], 0;");
  Launch(in_, out_);
  const auto all = device_->ListArrayWriters();
  const auto in = std::ranges::find(all, "in", &ArrayWriters::label);
  ASSERT_NE(in, all.end());
  EXPECT_EQ(in->by_kernel, kWords);
}

TEST_F(WatchedArraysTest, TrafficIsCountedByArray) {
  Use(R"(
  ld.global.u32 %r5, [%rd3];
  ld.global.u32 %r6, [%rd3];
  add.u32 %r5, %r5, %r6;
  st.global.u32 [%rd4], %r5;)");
  Launch(in_, out_);
  Launch(scratch_, scratch_);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 2u);
  ASSERT_EQ(launches[0].arrays.size(), 2u);
  EXPECT_EQ(launches[0].arrays[0].label, "in");
  EXPECT_EQ(launches[0].arrays[0].load_bytes, 2 * kBytes);
  EXPECT_EQ(launches[0].arrays[0].load_sectors, 2 * kBytes / 32);
  EXPECT_EQ(launches[0].arrays[0].store_bytes, 0u);
  EXPECT_EQ(launches[0].arrays[1].store_bytes, kBytes);
  EXPECT_TRUE(launches[1].arrays.empty());
}

/// What is not counted could break any limit unseen.
TEST_F(WatchedArraysTest, MoreLaunchesThanAreCountedAreAnError) {
  const auto refused = [&] {
    const auto findings = device_->TakeFindings();
    return std::ranges::count_if(findings, [](const Finding& finding) {
      return finding.kind == FindingKind::kInvalidLaunch && finding.severity == Severity::kError;
    });
  };
  for (std::size_t i = 0; i < Observed::kMaximumLaunches; ++i) Launch(in_, out_);
  EXPECT_EQ(refused(), 0);
  Launch(in_, out_);
  Launch(in_, out_);
  EXPECT_EQ(refused(), 1);
  EXPECT_EQ(device_->TakeLaunches().size(), Observed::kMaximumLaunches);
  Launch(in_, out_);
  EXPECT_EQ(refused(), 0) << "the next call begins anew";
}

/// Even threads read one array, odd ones another: a request of several arrays is shared out.
TEST_F(WatchedArraysTest, LanesOfOneRequestMayBeInSeveralArrays) {
  Use(R"(
  and.b32 %r7, %r4, 1;
  setp.eq.u32 %p2, %r7, 1;
  selp.b64 %rd8, %rd4, %rd3, %p2;
  ld.global.u32 %r5, [%rd8];)");
  Launch(in_, out_);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].arrays.size(), 2u);
  EXPECT_EQ(launches[0].arrays[0].load_bytes, kBytes / 2);
  EXPECT_EQ(launches[0].arrays[1].load_bytes, kBytes / 2);
}

TEST_F(WatchedArraysTest, ANewCallForgetsTheLast) {
  std::vector<std::byte> host(4);
  ASSERT_TRUE(device_->CopyOut(host, in_, 0).ok());
  Launch(in_, out_);
  device_->SetObservation({.arrays = true});
  EXPECT_EQ(Out().by_nobody, kWords);
  Launch(in_, out_);
  EXPECT_EQ(Out().after_host_read, 0u);
  device_->SetObservation({});
  EXPECT_TRUE(device_->ListArrayWriters().empty());
}

}  // namespace
}  // namespace warplings::vgpu
