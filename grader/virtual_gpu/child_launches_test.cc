// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels.
#include <gtest/gtest.h>

#include "tests/support/drawn.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

/// A launch in the body of a kernel whose %rd1 is an address: `kernel`(%rd1, `value`), with the number of the
/// launch in names that must differ.
std::string Launch(int number, const std::string& kernel, const std::string& value,
                   const std::string& block = "1", const std::string& stream = "0",
                   const std::string& address = "%rd1", const std::string& shared = "0") {
  const std::string skip = "skip_" + std::to_string(number);
  return "mov.u64 %rd2, " + kernel + R"(;
  {
    .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r;
    st.param.b64 [f], %rd2;
    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], )" +
         block + R"(; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    st.param.b32 [s], )" +
         shared + R"(;
    call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);
    ld.param.b64 %rd3, [r];
  }
  setp.eq.s64 %p1, %rd3, 0;
  @%p1 bra )" +
         skip + ";\n  st.u64 [%rd3], " + address + ";\n  mov.u32 %r2, " + value + R"(;
  st.u32 [%rd3+8], %r2;
  {
    .param .b64 p; .param .b64 s; .param .b32 r;
    st.param.b64 [p], %rd3;
    st.param.b64 [s], )" +
         stream + R"(;
    call.uni (r), __cudaCDP2LaunchDeviceV2, (p, s);
    ld.param.b32 %r3, [r];
  }
)" + skip +
         ":\n";
}

std::string Kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 p, .param .u32 v)\n{\n  .reg .b32 %r<12>;\n  .reg .b64 %rd<12>;\n  .reg .pred %p<4>;\n"
         "  .shared .align 16 .b8 tile[256];\n  .loc 1 7 3\n  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, "
         "[v];\n" +
         body + "\n  ret;\n}\n";
}

/// Appends a digit to the number in memory.
const std::string kAppend = Kernel("append", R"(
  ld.global.u32 %r4, [%rd1];
  mad.lo.u32 %r4, %r4, 10, %r1;
  st.global.u32 [%rd1], %r4;)");

/// A copy in the body of a kernel.
std::string Copy(const std::string& to, const std::string& from, const std::string& bytes,
                 const std::string& kind = "3") {
  return R"(
  {
    .param .b64 to; .param .b64 from; .param .b64 n; .param .b32 k; .param .b64 s; .param .b32 r;
    st.param.b64 [to], )" +
         to + ";\n    st.param.b64 [from], " + from + ";\n    st.param.b64 [n], " + bytes +
         ";\n    st.param.b32 [k], " + kind + R"(;
    st.param.b64 [s], 0;
    call.uni (r), __cudaCDP2MemcpyAsync, (to, from, n, k, s);
    ld.param.b32 %r3, [r];
  }
)";
}

/// Stores the thread's last error.
const std::string kStoreError = R"(
  {
    .param .b32 r;
    call.uni (r), __cudaCDP2GetLastError, ();
    ld.param.b32 %r5, [r];
  }
  st.global.u32 [%rd1], %r5;)";

class ChildLaunchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = MakeVirtualGpu(*FindDeviceProfile("h200"), {}).value();
    memory_ = device_->Allocate(64, AllocationKind::kDevice)->address;
    EXPECT_TRUE(device_->Fill(memory_, 0, 64, 0).ok());
  }

  /// Runs kernel k of a program that was compiled with -rdc=true.
  CudaStatus Run(const std::string& kernels, std::uint32_t threads = 1) {
    if (auto loaded = Load(kernels); !loaded) return loaded;
    if (auto launched = LaunchTheKernel(0, threads); !launched) return launched;
    return device_->SynchronizeAll();
  }

  CudaStatus Load(const std::string& kernels) {
    std::vector<std::byte> image(16);  // What nvlink made, without an image.
    const std::uint32_t magic = 0xBA55ED50;
    const std::uint16_t version = 1, header = 16;
    std::memcpy(image.data(), &magic, sizeof magic);
    std::memcpy(image.data() + 4, &version, sizeof version);
    std::memcpy(image.data() + 6, &header, sizeof header);
    const auto object = WrapPtx(
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"student.cu\"\n"
        ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 "
        "g[12], "
        ".param .align 4 .b8 b[12], .param .b32 s);\n"
        ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
        ".extern .func (.param .b32 r) __cudaCDP2GetLastError();\n"
        ".extern .func (.param .b32 r) __cudaCDP2Malloc(.param .b64 p, .param .b64 b);\n"
        ".extern .func (.param .b32 r) __cudaCDP2Free(.param .b64 p);\n"
        ".extern .func (.param .b32 r) __cudaCDP2MemcpyAsync(.param .b64 a, .param .b64 b, .param .b64 c, "
        ".param .b32 d, .param .b64 e);\n"
        ".extern .func (.param .b32 r) __cudaCDP2MemsetAsync(.param .b64 a, .param .b32 b, .param .b64 c, "
        ".param .b64 d);\n"
        ".extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags(.param .b64 p, .param .b32 f);\n"
        ".extern .func (.param .b64 r) __cudaCDP2GetErrorName(.param .b32 e);\n"
        ".extern .func (.param .b64 r) __cudaCDP2GetErrorString(.param .b32 e);\n" +
        kAppend + kernels);
    image.insert(image.end(), object.begin(), object.end());
    auto module = device_->LoadModule(0, image);
    if (!module) return module.error();
    module_ = *module;
    return Unit{};
  }

  CudaStatus LaunchTheKernel(StreamId stream, std::uint32_t threads = 1) {
    auto kernel = device_->FindKernel(module_, "k");
    if (!kernel) return kernel.error();
    LaunchRequest request;
    request.kernel = kernel->id;
    request.block = {threads, 1, 1};
    request.stream = stream;
    request.arguments = Arguments().Add(memory_).Add(std::uint32_t{0}).bytes();
    return device_->Launch(request);
  }

  std::uint32_t Value(std::size_t index = 0) {
    std::uint32_t value = 0;
    const auto bytes = std::as_writable_bytes(std::span(&value, 1));
    EXPECT_TRUE(device_->CopyOut(bytes, memory_ + index * sizeof value, 0).ok());
    return value;
  }

  void ExpectFinding(FindingKind kind, const std::string& says, const std::string& kernel = "k") {
    const std::vector<Finding> findings = device_->TakeFindings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, kind);
    EXPECT_EQ(findings[0].kernel, kernel);
    EXPECT_EQ(findings[0].where, (SourceLine{"student.cu", 7}));
    EXPECT_NE(English(findings[0].message).find(says), std::string::npos) << findings[0].message;
  }

  std::unique_ptr<LocalDevice> device_;
  DevicePointer memory_ = 0;
  ModuleId module_ = 0;
};

TEST_F(ChildLaunchesTest, RunAfterTheirParentInTheirOrderAndTailLaunchesLast) {
  const std::string middle = Kernel("middle", Launch(1, "append", "8") + Launch(2, "append", "9", "1", "3"));
  ASSERT_TRUE(Run(middle + Kernel("k", Launch(1, "append", "1") + Launch(2, "append", "2", "1", "3") +
                                           Launch(3, "middle", "0") + Launch(4, "append", "4", "1", "4") +
                                           "mov.u32 %r4, 7;\n st.global.u32 [%rd1], %r4;"))
                  .ok());
  EXPECT_EQ(Value(), 718942u);
  EXPECT_TRUE(device_->TakeFindings().empty()) << "what the parent stores comes before its children";
  std::vector<std::string> names;
  for (const LaunchRecord& record : device_->TakeLaunches()) names.push_back(record.kernel);
  EXPECT_EQ(names,
            (std::vector<std::string>{"k", "append", "middle", "append", "append", "append", "append"}));
}

/// A suite that counts streams is not to count the default stream for them.
TEST_F(ChildLaunchesTest, AreRecordedInTheStreamOfTheLaunchByTheHost) {
  const std::string middle = Kernel("middle", Launch(1, "append", "8"));
  ASSERT_TRUE(Load(middle + Kernel("k", Launch(1, "middle", "0"))).ok());
  auto stream = device_->CreateStream(0, StreamFlags::kNonBlocking);
  ASSERT_TRUE(LaunchTheKernel(*stream).ok());
  ASSERT_TRUE(device_->SynchronizeStream(*stream).ok());
  std::vector<StreamId> streams;
  for (const LaunchRecord& record : device_->TakeLaunches()) streams.push_back(record.stream);
  EXPECT_EQ(streams, std::vector<StreamId>(3, *stream));
}

TEST_F(ChildLaunchesTest, ThreadsOfAWarpThatPartedLaunchEachTheirOwn) {
  ASSERT_TRUE(Run(Kernel("add", "red.global.add.u32 [%rd1], %r1;") + Kernel("k", R"(
  mov.u32 %r6, %tid.x;
  and.b32 %r7, %r6, 1;
  setp.eq.u32 %p2, %r7, 0;
  @%p2 bra even;
)" + Launch(1, "add", "100") + "bra end;\neven:\n" + Launch(2, "add", "%r6") + "end:"),
                  32)
                  .ok());
  EXPECT_EQ(Value(), 16 * 100 + 240u);
}

TEST_F(ChildLaunchesTest, MemoryAndStreamsOfKernels) {
  ASSERT_TRUE(Run(Kernel("k", R"(
  {
    .param .b64 p; .param .b32 f; .param .b32 r;
    add.u64 %rd5, %rd1, 8;
    st.param.b64 [p], %rd5;
    st.param.b32 [f], 1;
    call.uni (r), __cudaCDP2StreamCreateWithFlags, (p, f);
    ld.global.u64 %rd6, [%rd5];
  }
  {
    .param .b64 p; .param .b64 b; .param .b32 r;
    add.u64 %rd5, %rd1, 16;
    st.param.b64 [p], %rd5;
    st.param.b64 [b], 64;
    call.uni (r), __cudaCDP2Malloc, (p, b);
    ld.global.u64 %rd7, [%rd5];
  }
  st.global.u32 [%rd7], %r1;
  {
    .param .b64 p; .param .b32 r;
    st.param.b64 [p], %rd7;
    call.uni (r), __cudaCDP2Free, (p);
  }
)" + Launch(1, "append", "5", "1", "%rd6")))
                  .ok());
  EXPECT_EQ(Value(), 5u);
  EXPECT_TRUE(device_->TakeFindings().empty());
}

TEST_F(ChildLaunchesTest, CopiesAndFillsOfKernelsComeInTheOrderOfLaunches) {
  ASSERT_TRUE(Run(Kernel("k", Launch(1, "append", "5") + R"(
  {
    .param .b64 to; .param .b64 from; .param .b64 n; .param .b32 k; .param .b64 s; .param .b32 r;
    add.u64 %rd5, %rd1, 4;
    st.param.b64 [to], %rd5;
    st.param.b64 [from], %rd1;
    st.param.b64 [n], 4;
    st.param.b32 [k], 3;
    st.param.b64 [s], 0;
    call.uni (r), __cudaCDP2MemcpyAsync, (to, from, n, k, s);
  }
  {
    .param .b64 to; .param .b32 v; .param .b64 n; .param .b64 s; .param .b32 r;
    st.param.b64 [to], %rd1;
    st.param.b32 [v], 257;
    st.param.b64 [n], 3;
    st.param.b64 [s], 0;
    call.uni (r), __cudaCDP2MemsetAsync, (to, v, n, s);
  }
)"))
                  .ok());
  EXPECT_EQ(Value(), 0x010101u);
  EXPECT_EQ(Value(1), 5u);
  EXPECT_TRUE(device_->TakeFindings().empty());
}

TEST_F(ChildLaunchesTest, WhatACopyCopiesIsAsInitialisedAsItsSource) {
  ASSERT_TRUE(device_->MarkUninitialised(memory_ + 16, 8).ok());
  const std::string look = Kernel("look", "ld.global.u32 %r4, [%rd1+32];\n st.global.u32 [%rd1], %r4;");
  const std::string copy = "add.u64 %rd5, %rd1, 16;\n add.u64 %rd6, %rd1, 32;\n" + Copy("%rd6", "%rd5", "16");
  ASSERT_TRUE(Run(look + Kernel("k", copy)).ok());
  EXPECT_TRUE(device_->TakeFindings().empty()) << "as where a struct with padding is copied";
  ASSERT_TRUE(Run(look + Kernel("k", copy + Launch(1, "look", "0"))).ok());
  ExpectFinding(FindingKind::kUninitialised, "before anything is written there", "look");
  ASSERT_TRUE(
      Run(look + Kernel("k", copy + "add.u64 %rd8, %rd1, 8;\n" + Launch(1, "look", "0", "1", "0", "%rd8")))
          .ok());
  EXPECT_TRUE(device_->TakeFindings().empty());
}

TEST_F(ChildLaunchesTest, ALargeCopyTakesLittleOfTheBudget) {
  constexpr std::uint64_t kBytes = 32 << 20;
  const DevicePointer arrays[] = {device_->Allocate(kBytes, AllocationKind::kDevice)->address,
                                  device_->Allocate(kBytes, AllocationKind::kDevice)->address};
  ASSERT_TRUE(device_->CopyIn(memory_, std::as_bytes(std::span(arrays)), 0).ok());
  ASSERT_TRUE(device_->Fill(arrays[1], 7, kBytes, 0).ok());
  const std::string copy = "ld.global.u64 %rd5, [%rd1];\n ld.global.u64 %rd6, [%rd1+8];\n" +
                           Copy("%rd5", "%rd6", std::to_string(kBytes), "4");
  device_->SetObservation({.max_warp_instructions = 100'000});
  ASSERT_TRUE(Run(Kernel("k", copy)).ok());
  std::byte last{};
  EXPECT_TRUE(device_->CopyOut(std::span(&last, 1), arrays[0] + kBytes - 1, 0).ok());
  EXPECT_EQ(last, std::byte{7});
  device_->SetObservation({.max_warp_instructions = 60'000});
  EXPECT_FALSE(Run(Kernel("k", copy + Launch(1, "append", "0"))).ok()) << "it takes some";
}

TEST_F(ChildLaunchesTest, ATransferOutsideMemoryIsFound) {
  ASSERT_TRUE(Run(Kernel("k", "add.u64 %rd5, %rd1, 4;\n" + Copy("%rd5", "%rd1", "64"))).ok());
  ExpectFinding(FindingKind::kOutOfBounds, "writes 64 bytes across the end of argument 1");
  ASSERT_TRUE(Run(Kernel("k", Copy("%rd1", "12", "8"))).ok());
  ExpectFinding(FindingKind::kOutOfBounds, "reads 8 bytes through a null pointer");
  ASSERT_TRUE(Run(Kernel("k", R"(
  {
    .param .b64 p; .param .b64 b; .param .b32 r;
    st.param.b64 [p], %rd1;
    st.param.b64 [b], 64;
    call.uni (r), __cudaCDP2Malloc, (p, b);
    ld.global.u64 %rd7, [%rd1];
  }
)" + Copy("%rd1", "%rd7", "64") + R"(
  {
    .param .b64 p; .param .b32 r;
    st.param.b64 [p], %rd7;
    call.uni (r), __cudaCDP2Free, (p);
  }
)"))
                  .ok());
  ExpectFinding(FindingKind::kUseAfterFree, "after it was freed");
}

TEST_F(ChildLaunchesTest, ATransferThatAKernelCannotMakeIsRefused) {
  ASSERT_TRUE(Run(Kernel("k", Copy("%rd1", "%rd1", "0", "1") + kStoreError)).ok());
  EXPECT_EQ(Value(), 21u) << "cudaErrorInvalidMemcpyDirection, as on an H200";
  ExpectFinding(FindingKind::kInvalidLaunch, "a kernel can copy only within the device");
  ASSERT_TRUE(Run(Kernel("k", Copy("0", "0", "0") + kStoreError)).ok());
  EXPECT_EQ(Value(), 0u);
  ASSERT_TRUE(Run(Kernel("k", "mov.u64 %rd8, tile;\n cvta.shared.u64 %rd8, %rd8;\n" +
                                  Copy("%rd1", "%rd8", "4") + kStoreError))
                  .ok());
  EXPECT_EQ(Value(), 1u) << "cudaErrorInvalidValue, as on an H200";
  ExpectFinding(FindingKind::kInvalidLaunch, "to cudaMemcpyAsync, which can access only global memory");
}

TEST_F(ChildLaunchesTest, ATransferRacesWithOtherStreams) {
  device_->Serve(1);
  const StreamId first = device_->CreateStream(0, StreamFlags::kNonBlocking).value(),
                 second = device_->CreateStream(0, StreamFlags::kNonBlocking).value();
  ASSERT_TRUE(Load(Kernel("k", "add.u64 %rd5, %rd1, 32;\n" + Copy("%rd5", "%rd1", "16"))).ok());
  ASSERT_TRUE(LaunchTheKernel(first).ok());
  ASSERT_TRUE(device_->Fill(memory_ + 48, 1, 16, second).ok());
  ASSERT_TRUE(device_->SynchronizeAll().ok());
  EXPECT_TRUE(device_->TakeFindings().empty()) << "what is beside it";
  ASSERT_TRUE(LaunchTheKernel(first).ok());
  ASSERT_TRUE(device_->Fill(memory_ + 40, 1, 16, second).ok());
  ASSERT_TRUE(device_->SynchronizeAll().ok());
  const std::vector<Finding> findings = device_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kRaceBetweenStreams);
}

TEST_F(ChildLaunchesTest, TheHostsLimitOfSharedMemoryCountsForLaunchesByKernels) {
  const std::string kernel = Kernel("k", Launch(1, "append", "3", "1", "0", "%rd1", "100000"));
  ASSERT_TRUE(Run(kernel).ok());
  ExpectFinding(FindingKind::kInvalidLaunch, "first call cudaFuncSetAttribute");
  const auto appending = device_->FindKernel(module_, "append");
  ASSERT_TRUE(device_->SetMaxDynamicShared(appending->id, 100'000).ok());
  ASSERT_TRUE(LaunchTheKernel(0).ok());
  EXPECT_TRUE(device_->TakeFindings().empty());
  EXPECT_EQ(Value(), 3u);
  ASSERT_TRUE(device_->SetMaxDynamicShared(appending->id, 0).ok());
  ASSERT_TRUE(LaunchTheKernel(0).ok());
  ExpectFinding(FindingKind::kInvalidLaunch, "first call cudaFuncSetAttribute");
}

TEST_F(ChildLaunchesTest, ErrorsHaveTheirNamesAndTexts) {
  const auto store = [](const std::string& function, int error, int at) {
    return R"(
  {
    .param .b32 e; .param .b64 r;
    st.param.b32 [e], )" +
           std::to_string(error) + ";\n    call.uni (r), " + function + R"(, (e);
    ld.param.b64 %rd5, [r];
  }
  ld.u8 %r4, [%rd5+)" +
           std::to_string(at) + "];\n  st.global.u32 [%rd1], %r4;\n  add.u64 %rd1, %rd1, 4;\n";
  };
  const std::string name = "__cudaCDP2GetErrorName", text = "__cudaCDP2GetErrorString";
  ASSERT_TRUE(
      Run(Kernel("k", store(name, 0, 4) + store(name, 9, 9) + store(name, 9, 29) + store(text, 999, 12) +
                          store(text, 999, 13) + store(text, 12345, 0) + store(name, -1, 22)))
          .ok());
  const char expected[] = {'S', 'I', '\0', 'r', '\0', 'u', 'e'};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(Value(i), static_cast<std::uint32_t>(expected[i])) << i;
  EXPECT_TRUE(device_->TakeFindings().empty());
}

TEST_F(ChildLaunchesTest, ARefusedLaunchIsFoundAndIsTheThreadsLastError) {
  ASSERT_TRUE(Run(Kernel("k", Launch(1, "append", "1", "2048") + kStoreError)).ok());
  EXPECT_EQ(Value(), 9u) << "cudaErrorInvalidConfiguration";
  ExpectFinding(FindingKind::kInvalidLaunch, "a block can have at most 1024");
  ASSERT_TRUE(Run(Kernel("k", Launch(1, "append", "1", "1", "77") + kStoreError)).ok());
  EXPECT_EQ(Value(), 1u) << "cudaErrorInvalidValue";
  ExpectFinding(FindingKind::kInvalidLaunch, "a stream that the kernel did not make");
  ASSERT_TRUE(Run(Kernel("k", Launch(1, "%rd1", "1"))).ok());
  ExpectFinding(FindingKind::kInvalidLaunch, "not a kernel of the program");
}

TEST_F(ChildLaunchesTest, RecursionWithoutAnEndIsFound) {
  ASSERT_TRUE(Run(Kernel("k", Launch(1, "k", "1"))).ok());
  ExpectFinding(FindingKind::kInvalidLaunch, "nest 2048 deep");
  EXPECT_EQ(device_->TakeLaunches().size(), 2048u);
}

TEST_F(ChildLaunchesTest, LaunchesOneAfterTheOtherWithoutAnEndAreFound) {
  device_->SetObservation({.max_warp_instructions = 1'000'000});
  const CudaStatus status = Run(Kernel("k", Launch(1, "k", "1", "1", "3")));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, CudaError::kLaunchTimeout);
  ExpectFinding(FindingKind::kEndlessLoop, "the launches do not end");
}

TEST_F(ChildLaunchesTest, AGridOfAbsurdSizeIsNotBegun) {
  device_->SetObservation({.max_warp_instructions = 100});
  const CudaStatus status = Run(Kernel("k", Launch(1, "append", "1", "1024")));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, CudaError::kLaunchTimeout);
  ExpectFinding(FindingKind::kEndlessLoop, "launches append with 32 warps");
}

TEST_F(ChildLaunchesTest, ALoopThatLaunchesWithoutAnEndIsFound) {
  RUN_ONE_IN(3);
  device_->SetObservation({.max_warp_instructions = 20'000'000});
  const CudaStatus status = Run(Kernel("k", "again:\n" + Launch(1, "append", "0") + "bra again;"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, CudaError::kLaunchTimeout);
  const std::vector<Finding> findings = device_->TakeFindings();
  EXPECT_TRUE(std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.kind == FindingKind::kEndlessLoop; }));
}

TEST_F(ChildLaunchesTest, ManyPendingLaunchesAreAWarning) {
  const std::string loop = "mov.u32 %r8, 0;\nagain:\n" + Launch(1, "append", "0") +
                           "add.u32 %r8, %r8, 1;\n setp.lt.u32 %p2, %r8, 3000;\n @%p2 bra again;";
  ASSERT_TRUE(Run(Kernel("k", loop)).ok());
  const std::vector<Finding> findings = device_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  device_->LimitPendingLaunches(4096);
  ASSERT_TRUE(Run(Kernel("k", loop)).ok());
  EXPECT_TRUE(device_->TakeFindings().empty());
}

TEST_F(ChildLaunchesTest, AGridsOwnMemoryIsNoneOfItsChildrens) {
  const CudaStatus status = Run(Kernel("k", "mov.u64 %rd8, tile;\n cvta.shared.u64 %rd8, %rd8;\n" +
                                                Launch(1, "append", "1", "1", "0", "%rd8")));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, CudaError{717}) << "cudaErrorInvalidAddressSpace, as on an H200";
  ExpectFinding(FindingKind::kInvalidLaunch, "passes a pointer to its shared memory to append");
}

TEST_F(ChildLaunchesTest, AGridWithAWrongLaunchRunsItsOthers) {
  EXPECT_FALSE(Run(Kernel("k", "mov.u64 %rd8, tile;\n cvta.shared.u64 %rd8, %rd8;\n" +
                                   Launch(1, "append", "1", "1", "0", "%rd8") + Launch(2, "append", "4")))
                   .ok());
  ExpectFinding(FindingKind::kInvalidLaunch, "passes a pointer to its shared memory to append");
  EXPECT_EQ(device_->TakeLaunches().size(), 2u);
}

TEST_F(ChildLaunchesTest, AChildsFaultsAreItsOwn) {
  ASSERT_TRUE(
      Run(Kernel("outside", "st.global.u32 [%rd1+64], %r1;") + Kernel("k", Launch(1, "outside", "1"))).ok());
  ExpectFinding(FindingKind::kOutOfBounds, "argument 1", "outside");
}

}  // namespace
}  // namespace warplings::vgpu
