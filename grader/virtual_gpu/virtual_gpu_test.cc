// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/virtual_gpu.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>

#include "grader/base/reflect.h"
#include "grader/device/model/memory_refusals.h"
#include "grader/messages/findings.h"
#include "tests/support/drawn.h"
#include "tests/support/kernel_test.h"

namespace warplings::vgpu::virtual_gpu_test {
namespace {

// --- Results. -------------------------------------------------------------------------------------------

TEST_F(VirtualGpuTest, EachThreadOfEachBlockWritesItsElement) {
  EXPECT_TRUE(Run("", std::string(kOwnElement) + "st.global.u32 [%rd4], %r30;", 2, 32).empty());
  std::vector<std::uint32_t> expected(64);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(Read(b_, 64), expected);
}

TEST_F(VirtualGpuTest, LanesThatPartAtABranchMeetAgain) {
  // Even threads take one way, odd ones the other; behind, a whole-warp ballot sees all 32.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  and.b32 %r3, %r2, 1;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra even;
  mov.u32 %r4, 100;
  bra meet;
even:
  mov.u32 %r4, 200;
meet:
  activemask.b32 %r5;
  popc.b32 %r6, %r5;
  add.u32 %r7, %r4, %r6;
  st.global.u32 [%rd4], %r7;)")
                  .empty());
  const auto values = Read(b_, 32);
  EXPECT_EQ(values[0], 232u);
  EXPECT_EQ(values[1], 132u);
}

TEST_F(VirtualGpuTest, LanesLeaveALoopOneAfterTheOther) {
  // Thread t counts to t; the divergence of the loop's exit is one, not thirty-one.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  mov.u32 %r3, 0;
loop:
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra done;
  add.u32 %r3, %r3, 1;
  bra loop;
done:
  activemask.b32 %r5;
  popc.b32 %r6, %r5;
  mad.lo.u32 %r7, %r6, 1000, %r3;
  st.global.u32 [%rd4], %r7;)")
                  .empty());
  const auto values = Read(b_, 32);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(values[t], 32'000 + t);
}

TEST_F(VirtualGpuTest, AnEarlyReturnDoesNotKeepTheOthersApart) {
  // if (t < 16) { if (t < 4) return; } then the rest of the warp is together.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  setp.ge.u32 %p1, %r2, 16;
  @%p1 bra meet;
  setp.lt.u32 %p2, %r2, 4;
  @%p2 bra out;
  add.u32 %r3, %r2, 1;
meet:
  activemask.b32 %r5;
  popc.b32 %r6, %r5;
  st.global.u32 [%rd4], %r6;
out:)")
                  .empty());
  const auto values = Read(b_, 32);
  EXPECT_EQ(values[4], 28u);
  EXPECT_EQ(values[31], 28u);
}

TEST_F(VirtualGpuTest, LanesOfOneWarpCanSpinOnEachOther) {
  // Odd lanes wait until their even neighbour has written: needs independent thread scheduling.
  Write(b_, std::vector<std::uint32_t>(64, 0));
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  and.b32 %r3, %r2, 1;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra writer;
spin:
  ld.volatile.global.u32 %r4, [%rd4+-4];
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra spin;
  bra meet;
writer:
  st.volatile.global.u32 [%rd4], 5;
meet:
  st.volatile.global.u32 [%rd4], 5;)")
                  .empty());
  EXPECT_EQ(Read(b_, 32), std::vector<std::uint32_t>(32, 5));
}

TEST_F(VirtualGpuTest, BlocksCanWaitForLaterBlocks) {
  Write(b_, std::vector<std::uint32_t>(64, 0));
  EXPECT_TRUE(Run("", R"(
  mov.u32 %r3, %ctaid.x;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra writer;
spin:
  ld.volatile.global.u32 %r4, [%rd2];
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra spin;
  bra out;
writer:
  st.volatile.global.u32 [%rd2], 1;
out:)",
                  2, 1)
                  .empty());
}

TEST_F(VirtualGpuTest, AtomicsOfAllThreadsAdd) {
  Write(b_, std::vector<std::uint32_t>(64, 0));
  EXPECT_TRUE(
      Run("", "red.global.add.u32 [%rd2], 1; atom.global.max.u32 %r3, [%rd2+4], %r2;", 4, 256).empty());
  const auto values = Read(b_, 2);
  EXPECT_EQ(values[0], 1024u);
  EXPECT_EQ(values[1], 255u);
}

TEST_F(VirtualGpuTest, ShufflesBringNeighboursValues) {
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  shfl.sync.down.b32 %r3|%p1, %r2, 1, 31, -1;
  st.global.u32 [%rd4], %r3;)")
                  .empty());
  const auto values = Read(b_, 32);
  EXPECT_EQ(values[0], 1u);
  EXPECT_EQ(values[30], 31u);
  EXPECT_EQ(values[31], 31u);  // out of range: its own
}

/// Their registers may hold just what the sum needs.
TEST_F(VirtualGpuTest, LanesThatHaveReturnedGiveAShuffleNothing) {
  const auto finding = Only(Run("", std::string(kOwnElement) + R"(
  setp.ge.u32 %p1, %r2, 16;
  @%p1 ret;
  shfl.sync.down.b32 %r3, %r2, 8, 31, -1;
  st.global.u32 [%rd4], %r3;)"),
                            FindingKind::kShuffleAfterExit);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(finding->count, 8u);
  EXPECT_EQ(finding->thread.x, 8u);
  EXPECT_EQ(English(finding->message),
            "the mask names all 32 lanes, but only lanes 0 to 15 of warp 0 can take part in this shuffle: "
            "lane 8 reads the "
            "value of lane 16, which is undefined in CUDA");
  const auto values = Read(b_, 16);
  EXPECT_EQ(values[0], 8u);
  EXPECT_EQ(values[7], 15u);
  EXPECT_EQ(values[8], 0x7fc0deadu);
}

TEST_F(VirtualGpuTest, ALaneThatHoldsALockGetsToRelease) {
  // while (atomicCAS(lock, 0, 1)) {} sum += 1; atomicExch(lock, 0): by all lanes of two warps.
  Write(b_, std::vector<std::uint32_t>(64, 0));
  EXPECT_TRUE(Run("", R"(
spin:
  atom.global.cas.b32 %r3, [%rd2], 0, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra spin;
  ld.volatile.global.u32 %r4, [%rd2+4];
  add.u32 %r4, %r4, 1;
  st.volatile.global.u32 [%rd2+4], %r4;
  membar.gl;
  atom.global.exch.b32 %r5, [%rd2], 0;
  bar.sync 0;)",
                  1, 64)
                  .empty());
  EXPECT_EQ(Read(b_, 2)[1], 64u);
}

TEST_F(VirtualGpuTest, TilesOfAWarpVoteByThemselves) {
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  shr.u32 %r3, %r2, 4;
  setp.eq.u32 %p1, %r3, 0;
  selp.b32 %r4, 0x0000ffff, 0xffff0000, %p1;
  and.b32 %r5, %r2, 1;
  setp.eq.u32 %p2, %r5, 0;
  vote.sync.ballot.b32 %r6, %p2, %r4;
  st.global.u32 [%rd4], %r6;)")
                  .empty());
  const auto values = Read(b_, 32);
  EXPECT_EQ(values[0], 0x00005555u);
  EXPECT_EQ(values[31], 0x55550000u);
}

TEST_F(VirtualGpuTest, AVoteMayNameItsModeBeforeSync) {
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  setp.lt.u32 %p1, %r2, 4;
  vote.ballot.sync.b32 %r3, %p1, 0xffffffff;
  vote.any.sync.pred %p2, %p1, 0xffffffff;
  @!%p2 mov.b32 %r3, 0;
  st.global.u32 [%rd4], %r3;)")
                  .empty());
  EXPECT_EQ(Read(b_, 32)[31], 0xfu);
}

TEST_F(VirtualGpuTest, AMemberThatNeverArrivesIsADeadlock) {
  // Lanes 16 to 31 wait at a barrier that the others cannot reach.
  Load(KernelText("", R"(
  setp.ge.u32 %p1, %r2, 16;
  @%p1 bra high;
  shfl.sync.down.b32 %r3|%p2, %r2, 1, 31, -1;
  bra out;
high:
  bar.sync 0;
out:)"));
  ASSERT_TRUE(device_->Launch(Request(1, 32)).ok());
  // The barrier stands where every thread would come: what keeps them is the mask.
  const auto finding = Only(device_->TakeFindings(), FindingKind::kDeadlock);
  ASSERT_TRUE(finding);
  EXPECT_NE(English(finding->message)
                .find("16 threads of warp 0 waiting here for all lanes in the mask, the other 16 waiting"),
            std::string::npos)
      << finding->message;
}

// Three results that ptxas 13.0.88 gets wrong on a card (tests/random/run, MISCOMPILED). The rules are those
// of the PTX ISA.

TEST_F(VirtualGpuTest, TheNegativeOfTheSmallestShortIsItself) {
  // "Integer Arithmetic Instructions: neg": d = -a, of the instruction's type. 16 bits have no 32768.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  cvt.u16.u32 %rs1, %r2;
  add.s16 %rs1, %rs1, -32768;
  neg.s16 %rs2, %rs1;
  setp.ge.s16 %p1, %rs1, %rs2;
  selp.u32 %r3, 65536, 0, %p1;
  cvt.s32.s16 %r4, %rs2;
  and.b32 %r4, %r4, 65535;
  or.b32 %r3, %r3, %r4;
  cvt.s32.s16 %r5, %rs2;
  shr.s32 %r5, %r5, 31;
  and.b32 %r5, %r5, 131072;
  or.b32 %r3, %r3, %r5;
  st.global.u32 [%rd4], %r3;)")
                  .empty());
  const auto values = Read(b_, 32);
  EXPECT_EQ(values[0], 0x38000u);  // -32768: not less than its negative, and the negative is negative.
  for (std::uint32_t t = 1; t < 32; ++t) EXPECT_EQ(values[t], 0x8000 - t);
}

TEST_F(VirtualGpuTest, ACountMayBeALogicalNegation) {
  // "Logic and Shift Instructions: cnot": d = (a == 0) ? 1 : 0. "...: shr": a count above 16 counts as 16.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  mov.u16 %rs1, 0x8014;
  cnot.b32 %r3, %r2;
  shr.u16 %rs2, %rs1, %r3;
  shl.b32 %r4, %r2, 28;
  or.b32 %r4, %r4, 16;
  shr.u16 %rs3, %rs1, %r4;
  cvt.u32.u16 %r5, %rs2;
  cvt.u32.u16 %r6, %rs3;
  shl.b32 %r6, %r6, 16;
  or.b32 %r5, %r5, %r6;
  st.global.u32 [%rd4], %r5;)")
                  .empty());
  std::vector<std::uint32_t> expected(32, 0x8014);
  expected[0] = 0x400a;
  EXPECT_EQ(Read(b_, 32), expected);
}

TEST_F(VirtualGpuTest, EachLaneExtractsItsOwnFieldOfAValueThatAllShare) {
  // "Integer Arithmetic Instructions: bfe": position and length are the low 8 bits of b and c; bits beyond
  // the most significant one are 0.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + R"(
  redux.sync.or.b32 %r3, %r2, -1;
  or.b32 %r3, %r3, 0x87650000;
  mul.lo.u32 %r4, %r2, 257;
  bfe.u32 %r5, %r3, %r4, %r2;
  st.global.u32 [%rd4], %r5;)")
                  .empty());
  const auto values = Read(b_, 32);
  for (std::uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(values[t], (0x8765001fu >> t) & ((std::uint64_t{1} << t) - 1)) << "lane " << t;
  }
}

// --- Findings. ------------------------------------------------------------------------------------------

TEST_F(VirtualGpuTest, ReadBehindAnArrayNamesItAndGoesOn) {
  Write(a_, std::vector<std::uint32_t>(64, 3));
  const auto finding =
      Only(Run("", std::string(kOwnElement) + "ld.global.u32 %r3, [%rd1+260]; st.global.u32 [%rd4], 9;"),
           FindingKind::kOutOfBounds);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->object), "A");
  EXPECT_EQ(finding->offset_bytes, 260);
  EXPECT_EQ(finding->count, 32u);
  EXPECT_EQ(English(finding->message), "reads 4 bytes, 4 bytes past the end of A, which has 256 bytes");
  EXPECT_EQ(Read(b_, 1)[0], 9u);
}

TEST_F(VirtualGpuTest, WriteBeforeAnArrayIsNotDone) {
  const auto finding = Only(Run("", "st.global.u32 [%rd2+-4], 9;"), FindingKind::kOutOfBounds);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->object), "B");
  EXPECT_EQ(finding->access, Access::kWrite);
  EXPECT_EQ(English(finding->message), "writes 4 bytes, 4 bytes before the start of B, which has 256 bytes");
}

TEST_F(VirtualGpuTest, NullAndHostPointersAreSaid) {
  const auto message_of = [this](const std::string& address) {
    return Only(Run("", "mov.u64 %rd5, " + address + "; ld.global.u32 %r3, [%rd5];"),
                FindingKind::kOutOfBounds)
        ->message;
  };
  EXPECT_TRUE(say::null_pointer.Made(message_of("0"))) << message_of("0");
  EXPECT_TRUE(say::no_allocation.Made(message_of("140737488355328"))) << message_of("140737488355328");
}

TEST_F(VirtualGpuTest, AnArgumentThatIsAHostPointerIsNamed) {
  const auto message_of = [this](std::uint64_t first, std::uint64_t second, const std::string& address) {
    Load(KernelText("", "add.u64 %rd5, " + address + "; ld.global.u32 %r3, [%rd5];"));
    LaunchRequest request = Request(1, 1);
    request.arguments = Arguments().Add(first).Add(second).Add(std::uint32_t{64}).bytes();
    EXPECT_TRUE(device_->Launch(request).ok());
    return Only(device_->TakeFindings(), FindingKind::kOutOfBounds)->message;
  };
  constexpr std::uint64_t kHost = 0x7ffd00001000;
  const Message second = message_of(a_, kHost, "%rd2, 64");
  ASSERT_TRUE(say::argument_outside_memory.Made(second)) << second;
  EXPECT_EQ(second.arguments().at(2).number, 2);
  EXPECT_TRUE(say::outside_allocations.Made(message_of(a_, b_, "%rd2, 17592186044416")))
      << "an index far too large";
  EXPECT_TRUE(say::outside_allocations.Made(message_of(a_, 1000, "%rd1, 17592186044416"))) << "a number";
}

/// An observation begins with each call: what the submission allocated in an earlier one may be too small
/// now.
TEST_F(VirtualGpuTest, MemoryOfAnEarlierCallIsNamedAsSuch) {
  Load(KernelText("", "st.global.u32 [%rd1+64], 9;"));
  const auto message_of = [this](std::uint64_t array) {
    LaunchRequest request = Request(1, 1);
    request.arguments = Arguments().Add(array).Add(b_).Add(std::uint32_t{64}).bytes();
    EXPECT_TRUE(device_->Launch(request).ok());
    return English(Only(device_->TakeFindings(), FindingKind::kOutOfBounds)->message);
  };
  const std::uint64_t early = device_->Allocate(64, AllocationKind::kDevice)->address;
  EXPECT_EQ(message_of(early), "writes 4 bytes right past the end of argument 1, which has 64 bytes");
  device_->SetObservation({});
  EXPECT_EQ(message_of(early),
            "writes 4 bytes right past the end of argument 1, which an earlier call allocated with 64 bytes");
  const std::uint64_t late = device_->Allocate(64, AllocationKind::kDevice)->address;
  EXPECT_EQ(message_of(late), "writes 4 bytes right past the end of argument 1, which has 64 bytes");
}

/// `c[0] = a[0] + b[0]` with three arrays of the host, in one line.
TEST_F(VirtualGpuTest, OfSeveralHostPointersEachIsNamed) {
  Load(KernelText("", "ld.global.u32 %r3, [%rd1+8]; ld.global.u32 %r4, [%rd2+8];"));
  const auto numbers = [this](std::uint64_t first, std::uint64_t second) {
    LaunchRequest request = Request(1, 1);
    request.arguments = Arguments().Add(first).Add(second).Add(std::uint32_t{64}).bytes();
    EXPECT_TRUE(device_->Launch(request).ok());
    std::vector<std::int64_t> named;
    for (const Finding& finding : device_->TakeFindings()) {
      EXPECT_TRUE(say::argument_outside_memory.Made(finding.message)) << finding.message;
      named.push_back(finding.message.arguments().at(2).number);
    }
    return named;
  };
  constexpr std::uint64_t kLow = 0x7ffd00001000, kHigh = 0x7ffd00002000;
  EXPECT_EQ(numbers(kLow, kHigh), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(numbers(kHigh, kLow), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(VirtualGpuTest, AnUnsignedIndexThatWentBelowZeroIsTold) {
  const auto told = [this](int index, int element, const std::string& load, int offset = 0) {
    const std::string address = "mov.u32 %r4, " + std::to_string(index) + "; mul.wide.u32 %rd5, %r4, " +
                                std::to_string(element) + "; add.s64 %rd6, %rd2, %rd5; ";
    const auto finding = Only(Run("", address + load + ", [%rd6+" + std::to_string(offset) + "];", 1, 1),
                              FindingKind::kOutOfBounds);
    return finding ? English(finding->object) + ": " + English(finding->message) : "nothing";
  };
  const std::string end = "the index is an unsigned number that went below 0";
  const std::string of_b = "B: reads element 4294967294 of B: " + end + " (-2 became 4294967294)";
  EXPECT_EQ(told(-2, 1, "ld.global.u8 %rs1"), of_b);
  EXPECT_EQ(told(-2, 2, "ld.global.u16 %rs1"), of_b);
  EXPECT_EQ(told(-2, 4, "ld.global.u32 %r3"), of_b);
  EXPECT_EQ(told(-2, 8, "ld.global.u64 %rd7"), of_b);
  EXPECT_EQ(told(-2, 16, "ld.global.v4.u32 {%r3, %r5, %r6, %r7}"), of_b);
  EXPECT_EQ(told(-2, 16, "ld.global.u32 %r3", 4), of_b) << "a member";
  const std::string moved =
      ": reads 4 bytes far outside every array: an index in this line is an unsigned "
      "number that went below 0";
  EXPECT_EQ(told(-2, 4, "ld.global.u32 %r3", 12), moved) << "from element 3 of B on";
}

TEST_F(VirtualGpuTest, FreedMemoryIsTold) {
  auto gone = device_->Allocate(64, AllocationKind::kDevice);
  ASSERT_TRUE(device_->Free(gone->address).ok());
  const std::string address = std::to_string(gone->address);
  Only(Run("", "mov.u64 %rd5, " + address + "; ld.global.u32 %r3, [%rd5];"), FindingKind::kUseAfterFree);
  EXPECT_FALSE(device_->Free(gone->address).ok());
}

TEST_F(VirtualGpuTest, MisalignedAccess) {
  const auto finding = Only(Run("", "ld.global.u32 %r3, [%rd1+2];"), FindingKind::kMisaligned);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->object), "A");
}

TEST_F(VirtualGpuTest, UninitialisedGlobalMemory) {
  const auto finding = Only(Run("", "ld.global.u32 %r3, [%rd1+8];"), FindingKind::kUninitialised);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->message), "reads 4 bytes of A before anything is written there");
  Write(a_, std::vector<std::uint32_t>(64, 1));
  EXPECT_TRUE(Run("", "ld.global.u32 %r3, [%rd1+8];").empty());
  ASSERT_TRUE(device_->MarkUninitialised(a_, 256).ok());
  EXPECT_EQ(Run("", "ld.global.u32 %r3, [%rd1+8];").size(), 1u);
}

TEST_F(VirtualGpuTest, ConstantMemoryIsReadOnly) {
  EXPECT_TRUE(Run("", "ld.const.u32 %r3, [fixed]; st.global.u32 [%rd2], %r3;", 1, 1).empty());
  EXPECT_EQ(Read(b_, 1)[0], 7u);
  Only(Run("", "mov.u64 %rd5, fixed; st.global.u32 [%rd5], 1;"), FindingKind::kOutOfBounds);
}

constexpr const char* kTile = ".shared .align 4 .b8 tile[256];\n.shared .align 4 .b8 other[256];";
constexpr const char* kTileElement = R"(
  mov.u32 %r10, tile;
  shl.b32 %r11, %r2, 2;
  add.u32 %r12, %r10, %r11;
  st.shared.u32 [%r12], %r2;
)";

TEST_F(VirtualGpuTest, SharedMemoryNeedsABarrierBetweenWarps) {
  const std::string read = "sub.u32 %r13, %r10, %r11; ld.shared.u32 %r14, [%r13+252];";
  const auto racing = Run(kTile, kTileElement + read, 1, 64);
  EXPECT_TRUE(std::any_of(racing.begin(), racing.end(), [](const Finding& f) {
    return f.kind == FindingKind::kRace && English(f.object) == "shared array `tile`";
  }));
  EXPECT_TRUE(Run(kTile, kTileElement + ("bar.sync 0;" + read), 1, 64).empty());
}

TEST_F(VirtualGpuTest, ReadThenWriteIsARaceAsWell) {
  const std::string first = "sub.u32 %r13, %r10, %r11; ld.shared.u32 %r14, [%r13+252];";
  const std::string overwrite = "st.shared.u32 [%r12], 5;";
  EXPECT_FALSE(Run(kTile, kTileElement + ("bar.sync 0;" + first + overwrite), 1, 64).empty());
  EXPECT_TRUE(Run(kTile, kTileElement + ("bar.sync 0;" + first + "bar.sync 0;" + overwrite), 1, 64).empty());
}

TEST_F(VirtualGpuTest, AtomicsDoNotRaceWithEachOther) {
  EXPECT_TRUE(Run(kTile, std::string(kTileElement) + "bar.sync 0; atom.shared.add.u32 %r5, [tile], 1;", 1, 64)
                  .empty());
}

/// Threads t and t + 32 share a word, %r13, of which the first warp (%p1) is to store the first value.
constexpr const char* kSharedWord = R"(
  mov.u32 %r10, tile;
  and.b32 %r11, %r2, 31;
  shl.b32 %r12, %r11, 2;
  add.u32 %r13, %r10, %r12;
  setp.lt.u32 %p1, %r2, 32;
)";

TEST_F(VirtualGpuTest, AnAtomicHidesNoOrdinaryStoreBeforeIt) {
  const auto run = [&](const std::string& order, const std::string& more = "") {
    return Run(kTile,
               kSharedWord + ("@%p1 st.shared.u32 [%r13], 0;" + order) +
                   "atom.shared.add.u32 %r5, [%r13], 1;" + more,
               1, 64);
  };
  for (const char* order : {"", "bar.warp.sync 0xffffffff;", "membar.cta;"}) {
    const auto race = Only(run(order), FindingKind::kRace);
    ASSERT_TRUE(race) << order;
    EXPECT_EQ(race->access, Access::kAtomic) << order;
    EXPECT_EQ(race->other_access, Access::kWrite) << order;
    EXPECT_EQ(race->severity, Severity::kError) << order;
  }
  EXPECT_TRUE(run("bar.sync 0;").empty());
  // Which value the atomic gives may tell a thread that another is past its fence.
  EXPECT_TRUE(run("membar.cta;", "add.u32 %r6, %r5, 1;").empty());
}

TEST_F(VirtualGpuTest, AVolatileStoreHidesNoOrdinaryStoreBeforeIt) {
  const auto run = [&](const std::string& order) {
    return Run(kTile,
               kSharedWord +
                   std::string("@%p1 st.shared.u32 [%r13], 0; @%p1 st.volatile.shared.u32 [%r13], 1;") +
                   order + "@!%p1 ld.volatile.shared.u32 %r5, [%r13];",
               1, 64);
  };
  const auto race = Only(run(""), FindingKind::kRace);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->access, Access::kRead);
  EXPECT_TRUE(run("bar.sync 0;").empty());
}

TEST_F(VirtualGpuTest, AnAtomicHidesNoneOfOtherThreads) {
  const auto run = [&](const std::string& order, const std::string& last) {
    return Run(kTile,
               kSharedWord +
                   ("@%p1 st.shared.u32 [%r13], 0; bar.sync 0; atom.shared.add.u32 %r5, [%r13], 1;" + order) +
                   last,
               1, 64);
  };
  for (const char* last : {"ld.shared.u32 %r6, [%r13];", "st.shared.u32 [%r13], %r2;"}) {
    // The warp that adds last, in whichever order they run.
    EXPECT_TRUE(Only(run("", std::string("@%p1 ") + last), FindingKind::kRace)) << last;
    EXPECT_TRUE(Only(run("", std::string("@!%p1 ") + last), FindingKind::kRace)) << last;
    EXPECT_TRUE(run("bar.sync 0;", std::string("@%p1 ") + last).empty()) << last;
  }
  // By its value, which is used, the last one knows that the others have added.
  EXPECT_TRUE(run("setp.eq.u32 %p1, %r5, 1;", "@%p1 st.shared.u32 [%r13], 0;").empty());
}

TEST_F(VirtualGpuTest, LanesThatMetMayReadWhatAtomicsLeft) {
  const std::string add = kSharedWord + std::string(
                                            "@%p1 st.shared.u32 [%r13], 0; bar.warp.sync 0xffffffff;"
                                            "atom.shared.add.u32 %r5, [tile], 1;");
  EXPECT_TRUE(Run(kTile, add + "bar.warp.sync 0xffffffff; ld.shared.u32 %r6, [tile];", 1, 32).empty());
  const auto race = Only(Run(kTile, add + "ld.shared.u32 %r6, [tile];", 1, 32), FindingKind::kRace);
  ASSERT_TRUE(race);
  EXPECT_TRUE(say::race_in_warp.Made(race->message)) << race->message;
}

/// Thread t writes element t, then reads element 63 - t of B.
constexpr const char* kCrossRead = R"(
  st.global.u32 [%rd4], %r30;
  mov.u32 %r20, 63;
  sub.u32 %r21, %r20, %r30;
  mul.wide.u32 %rd5, %r21, 4;
  add.s64 %rd6, %rd2, %rd5;
)";

TEST_F(VirtualGpuTest, GlobalMemoryNeedsABarrierBetweenWarpsAsWell) {
  Write(b_, std::vector<std::uint32_t>(64, 1));
  const std::string start = std::string(kOwnElement) + kCrossRead;
  const auto finding = Only(Run("", start + "ld.global.u32 %r22, [%rd6];", 1, 64), FindingKind::kRace);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->object), "B");
  EXPECT_TRUE(Run("", start + "bar.sync 0; ld.global.u32 %r22, [%rd6];", 1, 64).empty());
  EXPECT_TRUE(Run("", start + "ld.global.u32 %r22, [%rd4];", 1, 64).empty());
}

TEST_F(VirtualGpuTest, NothingOrdersTheBlocksOfALaunch) {
  Write(b_, std::vector<std::uint32_t>(64, 1));
  const std::string start = std::string(kOwnElement) + kCrossRead;
  // A barrier is of one block: between two blocks it orders nothing.
  const auto finding =
      Only(Run("", start + "bar.sync 0; ld.global.u32 %r22, [%rd6];", 2, 32), FindingKind::kRace);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kError);
  EXPECT_EQ(English(finding->message),
            "writes an element of B that other blocks read: the blocks of a launch run in any order");
  EXPECT_TRUE(Run("", start, 2, 32).empty());
  // The next launch may read it all.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + "ld.global.u32 %r22, [%rd4];", 2, 32).empty());
}

/// Each thread reads an element of B, as often as the virtual GPU needs to know the pattern; lanes read
/// segments.
constexpr const char* kReadsInRuns = R"(
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd2, %rd5;
  mov.u32 %r20, 0;
again:
  ld.global.u32 %r22, [%rd6];
  add.u32 %r20, %r20, 1;
  setp.lt.u32 %p1, %r20, 4;
  @%p1 bra again;
)";

TEST_F(VirtualGpuTest, WhatLanesReadInRunsMayNotBeWrittenWithoutABarrier) {
  Write(b_, std::vector<std::uint32_t>(64, 1));
  // The second warp writes what lane 5 of the first has read.
  const std::string first = "setp.eq.u32 %p2, %r2, 32; @%p2 st.global.u32 [%rd2+20], 9;";
  const auto finding = Only(Run("", kReadsInRuns + first, 1, 64), FindingKind::kRace);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->other_access, Access::kRead);
  EXPECT_TRUE(Run("", kReadsInRuns + ("bar.sync 0;" + first), 1, 64).empty());
  const std::string own = "setp.eq.u32 %p2, %r2, 5; @%p2 st.global.u32 [%rd2+20], 9;";
  EXPECT_TRUE(Run("", kReadsInRuns + own, 1, 64).empty()) << "the thread that read it";
  // Once somebody has written to a segment, its readers are noted one by one.
  const std::string then =
      "bar.sync 0; mov.u32 %r20, 0;\nonce_more: ld.global.u32 %r22, [%rd6]; add.u32 %r20, %r20, 1;"
      "setp.lt.u32 %p1, %r20, 4; @%p1 bra once_more;" +
      first;
  EXPECT_EQ(Run("", kReadsInRuns + ("bar.sync 0;" + first + then), 1, 64).size(), 1u);
}

TEST_F(VirtualGpuTest, WhatBlocksReadInRunsNoOtherMayWrite) {
  Write(b_, std::vector<std::uint32_t>(64, 1));
  EXPECT_TRUE(Run("", kReadsInRuns, 4, 64).empty());
  for (const char* writer : {"0", "3"}) {
    const std::string write = "mov.u32 %r3, %ctaid.x; setp.eq.u32 %p2, %r3, " + std::string(writer) +
                              "; setp.eq.and.u32 %p2, %r2, 5, %p2; @%p2 st.global.u32 [%rd2+20], 9;";
    const auto finding = Only(Run("", kReadsInRuns + write, 4, 64), FindingKind::kRace);
    ASSERT_TRUE(finding) << writer;
    EXPECT_EQ(English(finding->message),
              "writes an element of B that other blocks read: the blocks of a launch run in any order");
    // The writer comes first, and nobody has read in runs when it writes.
    const auto reversed = Only(Run("", write + kReadsInRuns, 4, 64), FindingKind::kRace);
    EXPECT_TRUE(reversed) << writer;
  }
  // What one launch has read another may write.
  EXPECT_TRUE(Run("", std::string(kOwnElement) + "st.global.u32 [%rd4], 9;", 1, 64).empty());
}

TEST_F(VirtualGpuTest, BlocksThatWriteTheSameValueAreWarned) {
  const auto same = Only(Run("", "st.global.u32 [%rd2], 5;", 2, 32), FindingKind::kRace);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->severity, Severity::kWarning);
  const auto different =
      Only(Run("", "mov.u32 %r3, %ctaid.x; st.global.u32 [%rd2], %r3;", 2, 32), FindingKind::kRace);
  ASSERT_TRUE(different);
  EXPECT_EQ(different->severity, Severity::kError);
}

/// Each block stores 5 to the same 4,096 elements. A host thread that has recorded its store may lose its
/// processor before it stores, which must not look like another value to the next one.
TEST_F(VirtualGpuTest, TheSameValueIsTheSameWhileBlocksRunAtTheSameTime) {
  device_.reset();
  device_ = MakeVirtualGpu(*FindDeviceProfile("a100"), {.host_threads = 8}).value();
  a_ = Array(64, "A");
  b_ = Array(4096, "B");
  Load(KernelText("",
                  "mov.u32 %r3, %tid.x; mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd2, %rd3;"
                  "st.global.u32 [%rd4], 5; st.global.u32 [%rd4+4096], 5; st.global.u32 [%rd4+8192], 5;"
                  "st.global.u32 [%rd4+12288], 5;"));
  for (int launch = 0; launch < 40; ++launch) {
    Write(b_, std::vector<std::uint32_t>(4096));
    ASSERT_TRUE(device_->Launch(Request(64, 1024)).ok());
    const auto race = Only(device_->TakeFindings(), FindingKind::kRace);
    ASSERT_TRUE(race);
    ASSERT_EQ(race->severity, Severity::kWarning) << "in launch " << launch;
  }
}

constexpr const char* kFile = ".file 1 \"k.cu\"\n";

TEST_F(VirtualGpuTest, OneElementWithDifferentValuesMakesTheRaceAnError) {
  // Block c stores c x t to element t: all store 0 to the first element, and others to the rest.
  Load(KernelText("",
                  ".loc 1 9 0\nmov.u32 %r3, %ctaid.x; mul.lo.u32 %r4, %r3, %r2; mul.wide.u32 %rd3, %r2, 4;"
                  "add.s64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r4;") +
       kFile);
  EXPECT_TRUE(device_->Launch(Request(2, 32)).ok());
  const auto stored = Only(device_->TakeFindings(), FindingKind::kRace);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->severity, Severity::kError);
  EXPECT_EQ(stored->offset_bytes, 4);
  EXPECT_EQ(stored->count, 32u);
  EXPECT_TRUE(say::race_of_many_blocks.Made(stored->message)) << stored->message;
}

TEST_F(VirtualGpuTest, ALaterLaunchWithDifferentValuesMakesTheRaceAnError) {
  Load(
      KernelText("", ".loc 1 9 0\nmov.u32 %r3, %ctaid.x; and.b32 %r3, %r3, %r1; st.global.u32 [%rd2], %r3;") +
      kFile);
  for (const std::uint32_t mask : {0u, 1u, 0u}) {
    LaunchRequest request = Request(2, 32);
    request.arguments = Arguments().Add(a_).Add(b_).Add(mask).bytes();
    EXPECT_TRUE(device_->Launch(request).ok());
  }
  const auto stored = Only(device_->TakeFindings(), FindingKind::kRace);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->severity, Severity::kError);
  EXPECT_EQ(stored->count, 3u);
  EXPECT_TRUE(say::race_of_many_blocks.Made(stored->message)) << stored->message;
}

TEST_F(VirtualGpuTest, AReaderOfAnotherWarpIsNotCalledOneOfThisWarp) {
  // Threads 0 and 32 read an element, and thread 0, which comes last, stores to it; then threads 0 and 1.
  const auto race_of = [&](const std::string& space, const std::string& element, const std::string& reads) {
    return Only(Run(kTile,
                    "setp.eq.u32 %p3, %r2, 0; @%p3 st." + space + ".u32 " + element + ", 1; bar.sync 0; " +
                        reads + "@%p1 ld." + space + ".u32 %r4, " + element +
                        "; setp.eq.u32 %p2, %r2, 0; @%p2 st." + space + ".u32 " + element + ", 2;",
                    1, 64),
                FindingKind::kRace);
  };
  for (const auto& [space, element] : {std::pair("shared", "[tile]"), std::pair("global", "[%rd2]")}) {
    const auto of_two_warps = race_of(space, element, "and.b32 %r3, %r2, 31; setp.eq.u32 %p1, %r3, 0;");
    ASSERT_TRUE(of_two_warps);
    EXPECT_TRUE(say::race_in_block.Made(of_two_warps->message)) << of_two_warps->message;
    EXPECT_TRUE(say::another_thread.Made(of_two_warps->message.arguments().at(2).inner.at(0)));
    const auto of_one_warp = race_of(space, element, "shr.u32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0;");
    ASSERT_TRUE(of_one_warp);
    EXPECT_TRUE(say::race_in_warp.Made(of_one_warp->message)) << of_one_warp->message;
  }
}

TEST_F(VirtualGpuTest, BytesOfADynamicArrayThatIsNotDeclaredAreOutside) {
  const std::string tile = ".shared .align 4 .b8 tile[64];\n";
  const std::string store =
      "shl.b32 %r3, %r2, 2; mov.u32 %r4, tile; add.u32 %r5, %r4, %r3; st.shared.u32 [%r5], %r2;";
  const auto outside = Only(Run(tile, store, 1, 32, 128), FindingKind::kOutOfBounds);
  ASSERT_TRUE(outside);
  EXPECT_EQ(outside->count, 16u);
  EXPECT_EQ(English(outside->message),
            "writes 4 bytes right past the end of shared array `tile`, which has 64 bytes. The launch passes "
            "128 bytes of "
            "dynamic shared memory, but the kernel uses no extern __shared__ array");
  // Without such bytes there is nothing to say of them.
  const auto without = Only(Run(tile, store), FindingKind::kOutOfBounds);
  ASSERT_TRUE(without);
  EXPECT_EQ(English(without->message),
            "writes 4 bytes right past the end of shared array `tile`, which has 64 bytes");
  EXPECT_TRUE(Run(tile, store, 1, 16, 128).empty());
}

TEST_F(VirtualGpuTest, DynamicSharedMemoryNeedsNoArrayInTheKernelItself) {
  const std::string tile = ".shared .align 4 .b8 tile[64];\n";
  // Whoever asks for the size may find the bytes behind the last array.
  for (const char* size : {"%dynamic_smem_size", "%total_smem_size"}) {
    EXPECT_TRUE(Run(tile,
                    std::string("mov.u32 %r6, ") + size +
                        "; shl.b32 %r3, %r2, 2; mov.u32 %r4, tile; add.u32 %r5, %r4, %r3;"
                        "st.shared.u32 [%r5+64], %r6;",
                    1, 32, 128)
                    .empty());
  }
  EXPECT_TRUE(Run("", "shl.b32 %r3, %r2, 2; st.shared.u32 [%r3], %r2;", 1, 32, 128).empty());
  // A function that the kernel calls has the array.
  std::string text = KernelText(tile,
                                "mov.u32 %r4, tile; st.shared.u32 [%r4], 1; { .param .b32 t; st.param.b32 "
                                "[t], %r2; call.uni fill, (t); }");
  text.insert(text.find(".visible"),
              ".extern .shared .align 4 .b8 buffer[];\n.func fill(.param .b32 fill_0) {\n  .reg .b32 %r<4>;\n"
              "  .reg .b32 %t;\n  ld.param.u32 %t, [fill_0];\n"
              "  shl.b32 %r1, %t, 2;\n  mov.u32 %r2, buffer;\n  add.u32 %r3, %r2, %r1;\n"
              "  st.shared.u32 [%r3], %t;\n  ret;\n}\n");
  Load(text);
  EXPECT_TRUE(device_->Launch(Request(1, 32, 128)).ok());
  const auto findings = device_->TakeFindings();
  EXPECT_TRUE(std::ranges::none_of(
      findings, [](const Finding& each) { return each.kind == FindingKind::kOutOfBounds; }));
}

TEST_F(VirtualGpuTest, ReadsAndWritesOutsideAreTwoFindings) {
  const auto findings =
      Run(".shared .align 4 .b8 tile[64];\n",
          "shl.b32 %r3, %r2, 2; mov.u32 %r4, tile; add.u32 %r5, %r4, %r3; st.shared.u32 [%r5], 1;"
          "ld.shared.u32 %r6, [%r5]; add.u32 %r6, %r6, 1; st.shared.u32 [%r5], %r6;");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].access, Access::kWrite);
  EXPECT_EQ(findings[0].count, 32u);
  EXPECT_EQ(findings[1].access, Access::kRead);
  EXPECT_EQ(findings[1].count, 16u);
}

TEST_F(VirtualGpuTest, BytesOfOneWordAreNotARace) {
  EXPECT_TRUE(Run("",
                  "cvt.u64.u32 %rd5, %r2; add.s64 %rd6, %rd2, %rd5; cvt.u16.u32 %rs1, %r2; "
                  "mov.u32 %r4, %ctaid.x; cvt.u64.u32 %rd7, %r4; add.s64 %rd8, %rd6, %rd7; "
                  "st.global.u8 [%rd8], %rs1;",
                  1, 64)
                  .empty());
}

TEST_F(VirtualGpuTest, UnwrittenSharedMemory) {
  const auto finding = Only(Run(kTile, "ld.shared.u32 %r3, [tile+8];"), FindingKind::kUninitialised);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->object), "shared array `tile`");
}

TEST_F(VirtualGpuTest, AVariableInSharedMemoryIsNoArray) {
  const auto object = [&](const std::string& name) {
    const auto findings = Run(".shared .align 4 .u32 " + name + ";", "ld.shared.u32 %r3, [" + name + "];");
    return findings.empty() ? "" : English(findings.front().object);
  };
  EXPECT_EQ(object("total"), "shared variable `total`");
  EXPECT_EQ(object("pair_$_1"), "shared array `pair`") << "one of its elements, by nvcc";
}

TEST_F(VirtualGpuTest, OverflowIntoTheNextSharedArray) {
  const auto finding = Only(Run(kTile, "st.shared.u32 [tile+256], 1;"), FindingKind::kOutOfBounds);
  ASSERT_TRUE(finding);
  EXPECT_EQ(English(finding->object), "shared array `tile`");
  EXPECT_EQ(English(finding->message),
            "writes 4 bytes right past the end of shared array `tile`, which has 256 bytes");
}

TEST_F(VirtualGpuTest, TheSharedArrayThatTheAddressIsComputedFromIsNamed) {
  const std::string arrays =
      ".shared .align 4 .b8 tile[256];\n.shared .align 4 .b8 sums[128];\n.shared .align 4 .b8 rest[64];\n";
  const auto said = [&](const std::string& body, std::uint32_t dynamic = 0) {
    const auto finding = Only(Run(arrays, body, 1, 1, dynamic), FindingKind::kOutOfBounds);
    return finding ? English(finding->message) : "";
  };
  const std::string uses = "st.shared.u32 [tile], 1; st.shared.u32 [sums], 1; st.shared.u32 [rest], 1;";
  // Nearer to the start of `sums` than to the end of `tile`, and the other way round.
  EXPECT_EQ(said(uses + "shl.b32 %r3, %r2, 2; mov.u32 %r4, sums; add.u32 %r5, %r4, %r3; "
                        "ld.shared.u32 %r6, [%r5+-4];"),
            "reads 4 bytes, 4 bytes before the start of shared array `sums`, which has 128 bytes");
  EXPECT_EQ(said(uses + "shl.b32 %r3, %r2, 2; mov.u32 %r4, sums; add.u32 %r5, %r4, %r3; "
                        "ld.shared.u32 %r6, [%r5+-1000];"),
            "reads 4 bytes, 1000 bytes before the start of shared array `sums`, which has 128 bytes");
  // A pointer that a loop moves.
  EXPECT_EQ(said(uses + "mov.u32 %r4, rest; mov.u32 %r3, 0;\nagain:\n sub.u32 %r4, %r4, 128; "
                        "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5; @%p1 bra again;"
                        "ld.shared.u32 %r6, [%r4];"),
            "reads 4 bytes, 640 bytes before the start of shared array `rest`, which has 64 bytes");
  // One of two: the nearer one. None that is known: the nearest of all, on either side.
  EXPECT_EQ(said(uses + "setp.eq.u32 %p1, %r2, 0; mov.u32 %r4, sums; mov.u32 %r5, tile; "
                        "selp.b32 %r6, %r4, %r5, %p1; ld.shared.u32 %r7, [%r6+-8];"),
            "reads 4 bytes, 8 bytes before the start of shared array `sums`, which has 128 bytes");
  EXPECT_EQ(said(uses + "ld.shared.u32 %r7, [1276];"),
            "reads 4 bytes, 4 bytes before the start of shared array `sums`, which has 128 bytes");
  EXPECT_EQ(said(uses + "ld.shared.u32 %r7, [256];"),
            "reads 4 bytes right past the end of shared array `tile`, which has 256 bytes");
}

TEST_F(VirtualGpuTest, TheArgumentThatTheAddressIsComputedFromIsNamed) {
  // Whichever of the two is first: an index that lands beyond the middle of the gap between them.
  const std::int64_t between = static_cast<std::int64_t>(b_) - static_cast<std::int64_t>(a_);
  const std::string far = std::to_string(between - 8), back = std::to_string(8 - between);
  const auto past =
      Only(Run("", "add.s64 %rd5, %rd1, " + far + "; ld.global.u32 %r3, [%rd5];"), FindingKind::kOutOfBounds);
  ASSERT_TRUE(past);
  EXPECT_EQ(English(past->object), "A");
  EXPECT_EQ(past->offset_bytes, between - 8);
  const auto before = Only(Run("",
                               "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd5, %rd6, %rd2; "
                               "add.s64 %rd5, %rd5, " +
                                   back + "; ld.global.u8 %rs1, [%rd5+-200];"),
                           FindingKind::kOutOfBounds);
  ASSERT_TRUE(before);
  EXPECT_EQ(English(before->object), "B");
  // A pointer that is loaded may be of any array: the nearest.
  Write(b_, std::vector<std::uint32_t>{static_cast<std::uint32_t>(a_ + 260),
                                       static_cast<std::uint32_t>((a_ + 260) >> 32)});
  const auto loaded =
      Only(Run("", "ld.global.u64 %rd5, [%rd2]; ld.global.u32 %r3, [%rd5];"), FindingKind::kOutOfBounds);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(English(loaded->object), "A");
}

TEST_F(VirtualGpuTest, AccessBesideALocalArrayTellsItsSize) {
  const auto said = [&](const std::string& offset) {
    const auto finding = Only(Run(".local .align 4 .b8 __local_depot0[16];\n.reg .b64 %SPL;\n",
                                  "mov.u64 %SPL, __local_depot0; add.u64 %rd5, %SPL, 0; mul.wide.u32 %rd6, "
                                  "%r2, 4; add.s64 %rd7, %rd5, %rd6; st.local.u32 [%rd7+" +
                                      offset + "], 1;",
                                  1, 1),
                              FindingKind::kOutOfBounds);
    return finding ? English(finding->message) : "";
  };
  EXPECT_EQ(said("16"), "writes 4 bytes right past the end of a local variable, which has 16 bytes");
  EXPECT_EQ(said("-4"), "writes 4 bytes, 4 bytes before the start of a local variable, which has 16 bytes");
}

TEST_F(VirtualGpuTest, DynamicSharedMemoryEndsWithTheLaunch) {
  std::string text = KernelText("", "st.shared.u32 [buffer+64], 1;");
  text.insert(text.find(".visible"), ".extern .shared .align 4 .b8 buffer[];\n");
  Load(text);
  EXPECT_TRUE(device_->Launch(Request(1, 1, 128)).ok());
  EXPECT_TRUE(device_->TakeFindings().empty());
  EXPECT_TRUE(device_->Launch(Request(1, 32, 64)).ok());
  Only(device_->TakeFindings(), FindingKind::kOutOfBounds);
}

TEST_F(VirtualGpuTest, BarrierThatHalfAWarpReaches) {
  const auto findings = Run("", R"(
  setp.ge.u32 %p1, %r2, 16;
  @%p1 bra over;
  bar.sync 0;
over:
  st.global.u32 [%rd2], 4;)");
  EXPECT_EQ(findings.front().kind, FindingKind::kDivergentBarrier);
  EXPECT_NE(English(findings.front().message).find("only 16 of the 32 threads of warp 0"), std::string::npos);
  EXPECT_EQ(Read(b_, 1)[0], 4u);
}

TEST_F(VirtualGpuTest, WarpsThatMeetAtDifferentBarriers) {
  Only(Run("", R"(
  setp.ge.u32 %p1, %r2, 32;
  @%p1 bra second;
  bar.sync 0;
  bra out;
second:
  bar.sync 0;
out:)",
           1, 64),
       FindingKind::kDivergentBarrier);
}

TEST_F(VirtualGpuTest, BarrierAfterAReturnIsAWarning) {
  const auto finding = Only(Run("", R"(
  setp.ge.u32 %p1, %r2, 20;
  @%p1 bra out;
  bar.sync 0;
out:)"),
                            FindingKind::kBarrierAfterExit);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  // It never hung because of threads that had exited: whole warps were counted.
  EXPECT_NE(English(finding->message).find("which does not wait for them"), std::string::npos);
}

TEST_F(VirtualGpuTest, BarrierThatNobodyCompletesIsADeadlock) {
  Load(KernelText("", "bar.sync 1, 64;"));
  ASSERT_TRUE(device_->Launch(Request(1, 32)).ok());
  const auto finding = Only(device_->TakeFindings(), FindingKind::kDeadlock);
  ASSERT_TRUE(finding);
  EXPECT_NE(English(finding->message).find("32 of 32 threads stuck"), std::string::npos);
  EXPECT_EQ(device_->SynchronizeAll().error().code, CudaError::kLaunchTimeout);
}

TEST_F(VirtualGpuTest, AnEndlessLoopIsStopped) {
  device_->SetObservation({.max_warp_instructions = 100'000});
  Only(Run("", "again: bra again;"), FindingKind::kEndlessLoop);
  EXPECT_EQ(device_->SynchronizeAll().error().code, CudaError::kLaunchTimeout);
  EXPECT_TRUE(device_->SynchronizeAll().ok());
}

TEST_F(VirtualGpuTest, TrapStopsTheKernel) {
  Only(Run("", "trap;"), FindingKind::kTrap);
  EXPECT_EQ(device_->SynchronizeAll().error().code, CudaError::kLaunchFailure);
}

/// Lane 0 does not skip the barrier at which the others wait: it is stopped on its way.
TEST_F(VirtualGpuTest, ALaneThatStopsTheKernelMissesNoBarrier) {
  Only(Run("", "setp.eq.u32 %p1, %r2, 0; @%p1 bra stop; bar.sync 0; bra done; stop: trap; done:"),
       FindingKind::kTrap);
}

TEST_F(VirtualGpuTest, AnUnknownInstructionIsRefusedByNameAndLine) {
  auto module = device_->LoadModule(
      0, WrapPtx(KernelText("", "tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %r1, %r1, %r1}];")));
  if (module) {
    auto kernel = device_->FindKernel(*module, "k");
    ASSERT_FALSE(kernel.ok());
    EXPECT_NE(English(kernel.error().message).find("tex.2dms.v4.f32.s32"), std::string::npos);
    EXPECT_NE(English(kernel.error().message).find("PTX line"), std::string::npos);
  }
  Only(device_->TakeFindings(), FindingKind::kUnsupported);
}

// --- Launches, streams. ---------------------------------------------------------------------------------

/// With the 64 bytes of fixed size these sums pass 32 bits.
TEST_F(VirtualGpuTest, MoreSharedMemoryThanTheCardHasIsRefusedHoweverLarge) {
  Load(KernelText(".shared .align 4 .u32 fixed_size[16];", "st.shared.u32 [fixed_size], %r2;"));
  for (const std::uint32_t bytes : {0xffff'ffffu, 0xffff'ffc0u, 0x8000'0000u, 163u << 10, 167'873u - 64}) {
    const CudaStatus refused = device_->SetMaxDynamicShared(kernel_, bytes);
    ASSERT_FALSE(refused.ok()) << bytes;
    EXPECT_EQ(refused.error().code, CudaError::kInvalidValue);
    EXPECT_FALSE(device_->Launch(Request(1, 32, bytes)).ok()) << bytes;
  }
  EXPECT_TRUE(device_->SetMaxDynamicShared(kernel_, (163u << 10) - 64).ok());
}

TEST_F(VirtualGpuTest, AProgramOfPtxAloneHasAnEstimateOfItsRegisters) {
  const auto registers = [&](const std::string& body) {
    Load(KernelText("", body));
    return device_->FindKernel(module_, "k")->resources.registers;
  };
  const std::uint32_t few = registers("");
  EXPECT_GE(few, 8u);
  EXPECT_LE(few, 16u);
  // Eight loads whose values are all added up at the end, and eight whose values go one after the other.
  std::string together = "mov.u32 %r20, 0;", apart = together;
  for (int i = 3; i < 19; ++i) {
    const std::string load = "ld.global.u32 %r" + std::to_string(i) + ", [%rd1];",
                      add = "add.u32 %r20, %r20, %r" + std::to_string(i) + ";";
    together += load;
    apart += load + add;
  }
  for (int i = 3; i < 19; ++i) together += "add.u32 %r20, %r20, %r" + std::to_string(i) + ";";
  EXPECT_GE(registers(together), registers(apart) + 14);
  EXPECT_TRUE(device_->Launch(Request(1, 1024)).ok()) << "an estimate limits nothing";
}

TEST_F(VirtualGpuTest, LaunchesBeyondTheCardsLimitsSayWhich) {
  Load(KernelText("", ""));
  EXPECT_EQ(device_->Launch(Request(1, 1056)).error().code, CudaError::kInvalidConfiguration);
  EXPECT_NE(English(device_->Launch(Request(1, 1056)).error().message)
                .find("1056 threads; a block can have at most"),
            std::string::npos);
  EXPECT_EQ(device_->Launch(Request(0, 32)).error().code, CudaError::kInvalidConfiguration);
  EXPECT_EQ(device_->Launch(Request(1, 32, 50'000)).error().code, CudaError::kInvalidValue);
  ASSERT_TRUE(device_->SetMaxDynamicShared(kernel_, 60'000).ok());
  EXPECT_TRUE(device_->Launch(Request(1, 32, 50'000)).ok());
  LaunchRequest request = Request(1, 32);
  request.arguments.pop_back();
  EXPECT_EQ(device_->Launch(request).error().code, CudaError::kInvalidValue);
}

TEST_F(VirtualGpuTest, ANonBlockingStreamRunsAsLateAsItMay) {
  Load(KernelText("", "st.global.u32 [%rd2], 77;"));
  Write(b_, {1});
  auto stream = device_->CreateStream(0, StreamFlags::kNonBlocking);
  ASSERT_TRUE(device_->Launch(Request(1, 32, 0, *stream)).ok());
  EXPECT_EQ(Read(b_, 1)[0], 1u);
  ASSERT_EQ(device_->ListPendingWork().size(), 1u);
  EXPECT_EQ(English(device_->ListPendingWork()[0].what), "kernel k");
  ASSERT_TRUE(device_->SynchronizeStream(*stream).ok());
  EXPECT_EQ(Read(b_, 1)[0], 77u);
  EXPECT_TRUE(device_->ListPendingWork().empty());
}

TEST_F(VirtualGpuTest, ABlockingStreamIsOrderedBeforeTheDefaultStream) {
  Load(KernelText("", "st.global.u32 [%rd2], 78;"));
  auto stream = device_->CreateStream(0, StreamFlags::kBlocking);
  ASSERT_TRUE(device_->Launch(Request(1, 32, 0, *stream)).ok());
  EXPECT_EQ(Read(b_, 1)[0], 78u);
}

/// Also of a launch that repeats an earlier one in another stream.
TEST_F(VirtualGpuTest, ALaunchIsRecordedWithItsStream) {
  Load(KernelText("", "st.global.u32 [%rd2], 78;"));
  auto one = device_->CreateStream(0, StreamFlags::kBlocking);
  auto other = device_->CreateStream(0, StreamFlags::kNonBlocking);
  const std::vector<StreamId> streams = {0, *one, *other, *one, 0};
  for (const bool repeats : {false, true}) {
    device_->SetObservation({.repeat_launches = repeats});
    for (const StreamId stream : streams) {
      ASSERT_TRUE(device_->Launch(Request(1, 32, 0, stream)).ok());
      ASSERT_TRUE(device_->SynchronizeStream(stream).ok());
    }
    std::vector<StreamId> recorded;
    for (const LaunchRecord& launch : device_->TakeLaunches()) recorded.push_back(launch.stream);
    EXPECT_EQ(recorded, streams) << repeats;
  }
}

TEST_F(VirtualGpuTest, AnEventBringsItsStreamUpToIt) {
  Load(KernelText("", "st.global.u32 [%rd2], 79;"));
  Write(b_, {1});
  auto stream = device_->CreateStream(0, StreamFlags::kNonBlocking);
  auto start = device_->CreateEvent(0), stop = device_->CreateEvent(0);
  ASSERT_TRUE(device_->RecordEvent(*start, *stream).ok());
  ASSERT_TRUE(device_->Launch(Request(1, 32, 0, *stream)).ok());
  ASSERT_TRUE(device_->RecordEvent(*stop, *stream).ok());
  EXPECT_EQ(device_->ElapsedMilliseconds(*start, *stop).error().code, CudaError::kNotReady);
  ASSERT_TRUE(device_->WaitEvent(0, *stop).ok());
  EXPECT_EQ(Read(b_, 1)[0], 79u);
  EXPECT_GT(*device_->ElapsedMilliseconds(*start, *stop), 0.0f);
}

TEST_F(VirtualGpuTest, AWaitKeepsItsRecordingWhateverHappensToTheEvent) {
  Load(KernelText("", "st.global.u32 [%rd2], 80;"));
  Write(b_, {1});
  auto stream = device_->CreateStream(0, StreamFlags::kNonBlocking);
  auto waiting = device_->CreateStream(0, StreamFlags::kNonBlocking);
  auto event = device_->CreateEvent(0);
  ASSERT_TRUE(device_->Launch(Request(1, 32, 0, *stream)).ok());
  ASSERT_TRUE(device_->RecordEvent(*event, *stream).ok());
  ASSERT_TRUE(device_->WaitEvent(*waiting, *event).ok());
  ASSERT_TRUE(device_->CopyWithin(a_, b_, 4, *waiting).ok());
  ASSERT_TRUE(device_->RecordEvent(*event, 0).ok());
  ASSERT_TRUE(device_->DestroyEvent(0, *event).ok());
  ASSERT_TRUE(device_->SynchronizeStream(*waiting).ok());
  EXPECT_EQ(Read(a_, 1)[0], 80u);
}

std::uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(VirtualGpuTest, CopiesThatHaveNotRunHoldABoundedAmountOfMemory) {
  RUN_ONE_IN(3);
  constexpr std::size_t kBytes = std::size_t{4} << 20, kCopies = 200;
  auto target = device_->Allocate(kBytes, AllocationKind::kDevice);
  ASSERT_TRUE(target.ok());
  auto stream = device_->CreateStream(0, StreamFlags::kNonBlocking);
  const std::uint64_t before = ResidentBytes();
  std::vector<std::byte> data(kBytes);
  for (std::size_t i = 1; i <= kCopies; ++i) {
    std::ranges::fill(data, static_cast<std::byte>(i));
    ASSERT_TRUE(device_->CopyIn(target->address, data, *stream).ok());
  }
  // Without a bound, 800 MiB.
  EXPECT_LT(ResidentBytes() - before, std::uint64_t{600} << 20);
  EXPECT_EQ(device_->ListPendingWork().size(), 64u);
  ASSERT_TRUE(device_->SynchronizeStream(*stream).ok());
  EXPECT_EQ(Read(target->address, 1)[0], 200u * 0x01010101u);
}

TEST_F(VirtualGpuTest, CountsOfACoalescedAndAStridedCopy) {
  Write(a_, std::vector<std::uint32_t>(64, 1));
  Run("", R"(
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.u32 %r3, [%rd6];
  mul.wide.u32 %rd7, %r2, 8;
  add.s64 %rd8, %rd1, %rd7;
  ld.global.u32 %r4, [%rd8];)");
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].totals.global_load_requests, 2u);
  EXPECT_EQ(launches[0].totals.global_load_sectors, 4u + 8u);
  EXPECT_EQ(launches[0].totals.global_load_bytes, 256u);
  EXPECT_TRUE(launches[0].completed);
}

TEST_F(VirtualGpuTest, AnAsynchronousCopyLoadsFromGlobalMemoryAndStoresToSharedMemory) {
  Write(a_, std::vector<std::uint32_t>(64, 1));
  Run(kTile, R"(
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd1, %rd5;
  mov.u32 %r3, tile;
  shl.b32 %r4, %r2, 2;
  add.u32 %r5, %r3, %r4;
  cp.async.ca.shared.global [%r5], [%rd6], 4;
  cp.async.wait_all;)");
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  const Counts& totals = launches[0].totals;
  EXPECT_EQ(totals.global_load_requests, 1u);
  EXPECT_EQ(totals.global_load_sectors, 4u);
  EXPECT_EQ(totals.global_load_bytes, 128u);
  EXPECT_EQ(totals.shared_store_requests, 1u);
  EXPECT_EQ(totals.shared_store_wavefronts, 1u);
  EXPECT_EQ(totals.global_store_requests + totals.global_store_sectors + totals.global_store_bytes, 0u);
  EXPECT_EQ(totals.shared_load_requests + totals.shared_load_wavefronts, 0u);
}

TEST_F(VirtualGpuTest, AtomicsTakeAsManyPassesAsLanesShareAnAddress) {
  Write(a_, std::vector<std::uint32_t>(64, 0));
  // In global memory groups of four lanes share a word, in shared memory half a warp and single lanes do.
  Run(".shared .align 4 .b8 bins[256];", R"(
  shr.u32 %r3, %r2, 2;
  mul.wide.u32 %rd5, %r3, 4;
  add.s64 %rd6, %rd1, %rd5;
  atom.global.add.u32 %r4, [%rd6], 1;
  mov.u32 %r5, bins;
  mad.lo.u32 %r6, %r2, 4, %r5;
  st.shared.u32 [%r6], 0;
  bar.sync 0;
  max.u32 %r7, %r2, 15;
  mad.lo.u32 %r8, %r7, 4, %r5;
  atom.shared.add.u32 %r9, [%r8], 1;)");
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  const Counts& counts = launches[0].totals;
  EXPECT_EQ(counts.global_atomic_requests, 1u);
  EXPECT_EQ(counts.global_atomic_passes, 4u);
  EXPECT_EQ(counts.global_atomic_sectors, 1u);
  EXPECT_EQ(counts.global_atomic_bytes, 128u);
  EXPECT_EQ(counts.shared_atomic_requests, 1u);
  EXPECT_EQ(counts.shared_atomic_passes, 16u);
  EXPECT_EQ(counts.atomics, 64u);
  EXPECT_EQ(counts.global_store_requests, 0u) << "an atomic is no store";
  EXPECT_EQ(counts.shared_store_requests, 1u);
}

/// The first branch is taken by no lane, the second by 16 of them.
TEST_F(VirtualGpuTest, CountsTheLanesThatTakeABranchApart) {
  Run("", R"(
  setp.ge.u32 %p1, %r2, 40;
  @%p1 bra over;
  setp.ge.u32 %p1, %r2, 16;
  @%p1 bra over;
  st.global.u32 [%rd2], 4;
over:)",
      1, 32);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  const Counts& counts = launches[0].totals;
  EXPECT_EQ(counts.conditional_branches, 2u);
  EXPECT_EQ(counts.lanes_that_branch, 16u);
  EXPECT_EQ(counts.divergent_branches, 1u);
}

TEST_F(VirtualGpuTest, AProfileSumsLaunchesByShapeAndInstruction) {
  Load(KernelText("", std::string(kOwnElement) + "st.global.u32 [%rd4], %r30;"));
  EXPECT_TRUE(device_->Launch(Request(1, 32)).ok());
  EXPECT_TRUE(device_->TakeProfile().empty()) << "it is kept on demand only";
  ObservationOptions options;
  options.profile = true;
  device_->SetObservation(options);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(device_->Launch(Request(1, 32)).ok());
  EXPECT_TRUE(device_->Launch(Request(2, 32)).ok());
  const auto kernels = device_->TakeProfile();
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].launches, 3u);
  EXPECT_EQ(kernels[1].launches, 1u);
  EXPECT_EQ(kernels[0].sum.totals.global_store_requests, 3u);
  EXPECT_EQ(kernels[1].sum.totals.global_store_requests, 2u);
  const auto& instructions = kernels[0].instructions;
  const auto store = std::ranges::find(instructions, "st.global.u32", &InstructionCounts::opcode);
  ASSERT_NE(store, instructions.end());
  EXPECT_EQ(store->counts.global_store_sectors, 12u);
  EXPECT_EQ(store->counts.thread_instructions, 96u);
  EXPECT_TRUE(device_->TakeProfile().empty());
}

/// Of the arrays A and B.
constexpr std::uint64_t kBytes = 256;

// --- Requests kept in full. ------------------------------------------------------------------------------

TEST_F(VirtualGpuTest, KeepsRequestsInFullWhereItIsAskedTo) {
  // Each thread stores its own word, passes a barrier, and reads every second word of a shared array.
  const std::string body = std::string(kOwnElement) + R"(
  st.global.u32 [%rd4], %r30;
  mov.u32 %r4, big;
  bar.sync 0;
  mad.lo.u32 %r6, %r2, 8, %r4;
  st.shared.u32 [%r6], %r2;)";
  const std::string shared = ".shared .align 16 .b8 big[512];";
  Run(shared, body, 1, 32);
  for (const LaunchRecord& launch : device_->TakeLaunches()) EXPECT_FALSE(launch.accesses.has_value());
  ObservationOptions options;
  options.accesses = true;
  device_->SetObservation(options);
  Run(shared, body, 1, 32);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_TRUE(launches[0].accesses.has_value());
  const auto& samples = *launches[0].accesses;
  ASSERT_EQ(samples.size(), 2u);
  const AccessSample& global = samples[0];
  EXPECT_EQ(global.opcode, "st.global.u32");
  EXPECT_EQ(global.space, MemorySpace::kGlobal);
  EXPECT_EQ(global.access, Access::kWrite);
  EXPECT_EQ(global.phase, 0u);
  EXPECT_EQ(global.lanes, 0xffffffffu);
  EXPECT_EQ(global.bytes, 4u);
  EXPECT_EQ(global.sectors, 4u) << "32 words in a row are 128 bytes";
  const AccessSample& banks = samples[1];
  EXPECT_EQ(banks.space, MemorySpace::kShared);
  EXPECT_EQ(banks.object, "shared array big");
  EXPECT_EQ(banks.object_bytes, 512u);
  EXPECT_EQ(banks.phase, 1u) << "behind one barrier";
  EXPECT_EQ(banks.wavefronts, 2u) << "a stride of two words meets each of 16 banks twice";
  EXPECT_EQ(banks.conflicts, 1u);
  ASSERT_EQ(global.offsets.size(), 32u);
  ASSERT_EQ(banks.offsets.size(), 32u);
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(global.offsets[static_cast<std::size_t>(lane)], 4 * lane);
    EXPECT_EQ(banks.offsets[static_cast<std::size_t>(lane)], 8 * lane);
  }
}

TEST_F(VirtualGpuTest, OfASampleOfTheBlocksRequestsAreKeptToo) {
  ObservationOptions options;
  options.checks = false;
  options.accesses = true;
  options.sample_blocks = 4;
  device_->SetObservation(options);
  Run(".shared .align 16 .b8 big[16];", "mov.u32 %r5, big; st.shared.u32 [%r5], 1;", 1000, 1);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].sampled_blocks, 4u);
  std::set<std::uint32_t> blocks;
  for (const AccessSample& sample : launches[0].accesses.value()) blocks.insert(sample.block.x);
  EXPECT_EQ(blocks.size(), 3u) << "the first, the third and the last of four";
  EXPECT_LT(*blocks.begin(), 250u);
  EXPECT_GE(*blocks.rbegin(), 750u);
}

TEST_F(VirtualGpuTest, ARequestKeptInFullShowsLanesThatMissTheArray) {
  ObservationOptions options;
  options.accesses = true;
  device_->SetObservation(options);
  // 32 lanes store to an array's last 16 words and what lies behind it.
  const auto findings = Run("",
                            R"(
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd1, %rd5;
  st.global.u32 [%rd6+)" + std::to_string(kBytes - 64) +
                                "], %r2;",
                            1, 32);
  EXPECT_FALSE(findings.empty());
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].accesses.value().size(), 1u);
  const AccessSample& sample = launches[0].accesses->front();
  EXPECT_EQ(sample.object_bytes, kBytes);
  ASSERT_EQ(sample.offsets.size(), 32u);
  EXPECT_EQ(sample.offsets[15], static_cast<std::int64_t>(kBytes) - 4);
  EXPECT_EQ(sample.offsets[31], static_cast<std::int64_t>(kBytes) + 60);
  EXPECT_EQ(sample.sectors, 2u) << "of the 16 lanes that were let through";
}

/// Instructions, passes of a loop around them, threads a block, blocks.
struct AccessBudgetCase {
  int instructions, passes;
  std::uint32_t threads, blocks;
  std::size_t kept;
};
class AccessBudget : public VirtualGpuTest, public ::testing::WithParamInterface<AccessBudgetCase> {};

TEST_P(AccessBudget, HoldsWhateverIsExecuted) {
  const AccessBudgetCase& c = GetParam();
  std::string body = "mov.u32 %r3, 0;\nagain:\n";
  for (int i = 0; i < c.instructions; ++i) body += "st.shared.u32 [%r5], %r3;\n";
  body += "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, " + std::to_string(c.passes) + "; @%p1 bra again;";
  const std::string own = "mov.u32 %r4, big; mad.lo.u32 %r5, %r2, 4, %r4;\n";
  std::optional<std::vector<std::uint32_t>> first;
  for (const unsigned host_threads : {1u, 4u}) {
    VirtualGpuOptions gpu;
    gpu.host_threads = host_threads;
    device_.reset();
    device_ = MakeVirtualGpu(*FindDeviceProfile("a100"), gpu).value();
    a_ = Array(64, "A");
    b_ = Array(64, "B");
    ObservationOptions options;
    options.accesses = true;
    device_->SetObservation(options);
    Run(".shared .align 16 .b8 big[4096];", own + body, c.blocks, c.threads);
    const auto launches = device_->TakeLaunches();
    ASSERT_EQ(launches.size(), 1u);
    const auto& samples = launches[0].accesses.value();
    EXPECT_EQ(samples.size(), c.kept);
    std::vector<std::uint32_t> order;
    for (const AccessSample& sample : samples) {
      order.insert(order.end(), {sample.block.x, sample.warp, sample.visit});
    }
    if (!first) first = order;
    EXPECT_EQ(order, *first) << "host threads make no difference";
  }
}

// Of three blocks three warps are looked at; 12 requests of a line; 227 of a warp. These lines have no
// number, so each instruction is one.
INSTANTIATE_TEST_SUITE_P(
    Shapes, AccessBudget,
    ::testing::Values(AccessBudgetCase{1, 1, 32, 1, 1}, AccessBudgetCase{1, 5, 96, 3, 45},
                      AccessBudgetCase{1, 1000, 32, 1, 12}, AccessBudgetCase{1, 2, 1024, 50, 18},
                      AccessBudgetCase{400, 1, 32, 1, 227}, AccessBudgetCase{400, 3, 1024, 20, 2043}));

TEST_F(VirtualGpuTest, LaunchesShareTheBudgetOfRequestsUntilTheyAreTaken) {
  ObservationOptions options;
  options.accesses = true;
  device_->SetObservation(options);
  std::string body = "mov.u32 %r5, big;\n";
  for (int i = 0; i < 400; ++i) body += "st.shared.u32 [%r5], 1;\n";
  Load(KernelText(".shared .align 16 .b8 big[16];", body));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(device_->Launch(Request(1, 1)).ok());
  const auto kept = [&] {
    std::size_t all = 0;
    for (const LaunchRecord& launch : device_->TakeLaunches()) {
      if (launch.accesses) all += launch.accesses->size();
    }
    return all;
  };
  EXPECT_EQ(kept(), kMaximumAccessSamples);
  EXPECT_TRUE(device_->Launch(Request(1, 1)).ok());
  EXPECT_EQ(kept(), 227u);
}

/// ANCHORS' table, measured with ncu on an H200: wavefronts and conflicts of one warp's loads.
struct BankCase {
  std::uint32_t stride_words, width_bytes, wavefronts, conflicts;
};
class BankConflicts : public VirtualGpuTest, public ::testing::WithParamInterface<BankCase> {};

TEST_P(BankConflicts, AsHardwareCountsThem) {
  const BankCase& c = GetParam();
  const std::string load = c.width_bytes == 4   ? "ld.shared.u32 %r3, [%r6];"
                           : c.width_bytes == 8 ? "ld.shared.u64 %rd9, [%r6];"
                                                : "ld.shared.v4.u32 {%r20,%r21,%r22,%r23}, [%r6];";
  Run(".shared .align 16 .b8 big[32768];",
      "mov.u32 %r4, big; mad.lo.u32 %r6, %r2, " + std::to_string(c.stride_words * 4) + ", %r4;" + load);
  const auto launches = device_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].totals.shared_load_wavefronts, c.wavefronts);
  EXPECT_EQ(launches[0].totals.shared_load_conflicts, c.conflicts);
}

INSTANTIATE_TEST_SUITE_P(
    H200, BankConflicts,
    ::testing::Values(BankCase{1, 4, 1, 0}, BankCase{2, 4, 2, 1}, BankCase{3, 4, 1, 0}, BankCase{4, 4, 4, 3},
                      BankCase{8, 4, 8, 7}, BankCase{16, 4, 16, 15}, BankCase{31, 4, 1, 0},
                      BankCase{32, 4, 32, 31}, BankCase{33, 4, 1, 0}, BankCase{2, 8, 2, 0},
                      BankCase{4, 8, 4, 2}, BankCase{6, 8, 2, 0}, BankCase{8, 8, 8, 6},
                      BankCase{32, 8, 32, 30}, BankCase{34, 8, 2, 0}, BankCase{4, 16, 4, 0},
                      BankCase{8, 16, 8, 4}, BankCase{12, 16, 4, 0}, BankCase{20, 16, 4, 0}));

// --- Host threads. --------------------------------------------------------------------------------------

/// What a run of a faulty kernel shows, as one text.
std::string Trace(unsigned host_threads) {
  VirtualGpuOptions options;
  options.host_threads = host_threads;
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), options).value();
  constexpr std::uint32_t kBlocks = 100, kThreads = 64;
  const DevicePointer a = device->Allocate(256, AllocationKind::kDevice)->address;
  const DevicePointer b = device->Allocate(kBlocks * kThreads * 4, AllocationKind::kDevice)->address;
  // Blocks from 30 on read unwritten memory, odd ones race in shared memory, and each writes its sum.
  auto module = device->LoadModule(0, WrapPtx(KernelText(kTile, std::string(kOwnElement) + kTileElement + R"(
  sub.u32 %r13, %r10, %r11;
  setp.lt.u32 %p1, %r28, 30;
  @%p1 bra written;
  ld.global.u32 %r15, [%rd1];
written:
  and.b32 %r16, %r28, 1;
  setp.eq.u32 %p2, %r16, 1;
  @%p2 bra racing;
  bar.sync 0;
racing:
  ld.shared.u32 %r14, [%r13+252];
  add.u32 %r17, %r14, %r30;
  st.global.u32 [%rd4], %r17;)")));
  LaunchRequest request;
  request.kernel = device->FindKernel(*module, "k")->id;
  request.grid = {kBlocks, 1, 1};
  request.block = {kThreads, 1, 1};
  request.arguments = Arguments().Add(a).Add(b).Add(std::uint32_t{64}).bytes();
  EXPECT_TRUE(device->Launch(request).ok());
  std::string text;
  for (const Finding& finding : device->TakeFindings()) {
    text += std::string(FindingKindName(finding.kind)) + " " + std::to_string(finding.block.x) + " " +
            std::to_string(finding.thread.x) + " x" + std::to_string(finding.count) + " " +
            English(finding.message) + "\n";
  }
  for (const LaunchRecord& launch : device->TakeLaunches()) {
    reflect::ForEachMember(launch.totals, [&](const char* name, std::uint64_t value) {
      text += std::string(name) + "=" + std::to_string(value) + "\n";
    });
  }
  std::vector<std::uint32_t> values(kBlocks * kThreads);
  EXPECT_TRUE(device->CopyOut(std::as_writable_bytes(std::span(values)), b, 0).ok());
  return text + std::to_string(std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
}

TEST(HostThreads, DoNotChangeResultsFindingsOrCounts) {
  const std::string one = Trace(1);
  EXPECT_NE(one.find("race"), std::string::npos);
  EXPECT_NE(one.find("uninitialised 30 0 x4480"), std::string::npos) << one;
  for (unsigned threads : {2u, 8u}) {
    for (int run = 0; run < 20; ++run) ASSERT_EQ(Trace(threads), one) << threads << " threads, run " << run;
  }
}

// --- Memory. --------------------------------------------------------------------------------------------

TEST_F(VirtualGpuTest, CopiesMustFitTheirAllocation) {
  std::vector<std::uint32_t> values(65);
  EXPECT_EQ(device_->CopyIn(a_, AsBytes(values), 0).error().code, CudaError::kInvalidValue);
  EXPECT_NE(English(device_->CopyIn(a_, AsBytes(values), 0).error().message).find("260 bytes"),
            std::string::npos);
  EXPECT_FALSE(device_->CopyWithin(a_, b_ + 4, 256, 0).ok());
  EXPECT_FALSE(device_->Fill(a_ + 252, 0, 8, 0).ok());
}

TEST_F(VirtualGpuTest, CodeOfADebugBuildMayCopyLocalVariablesThatNobodySet) {
  constexpr const char* kDepot = ".local .align 4 .b8 __local_depot0[8];";
  constexpr const char* kCopy = R"(
  mov.u64 %rd5, __local_depot0;
  ld.local.u32 %r3, [%rd5];
  st.local.u32 [%rd5+4], %r3;
)";
  Only(Run(kDepot, kCopy), FindingKind::kUninitialised);
  std::string text = KernelText(kDepot, kCopy);
  text.insert(text.find("sm_80") + 5, ", debug");
  Load(text);
  EXPECT_TRUE(device_->Launch(Request(1, 32)).ok());
  EXPECT_TRUE(device_->TakeFindings().empty());
}

TEST_F(VirtualGpuTest, AskingForTooMuchIsRefused) {
  EXPECT_EQ(device_->Allocate(~std::uint64_t{0}, AllocationKind::kDevice).error().code,
            CudaError::kMemoryAllocation);
  EXPECT_EQ(device_->Allocate(std::uint64_t{1} << 50, AllocationKind::kDevice).error().code,
            CudaError::kMemoryAllocation);
}

TEST_F(VirtualGpuTest, ADroppedClientLeavesNothingBehind) {
  const auto before = device_->GetMemoryInfo().free_bytes;
  auto module = device_->LoadModule(3, WrapPtx(KernelText("", "")));
  auto kernel = device_->FindKernel(*module, "k");
  auto memory = device_->Allocate(1 << 20, AllocationKind::kDevice);
  auto managed = device_->Allocate(1 << 20, AllocationKind::kManaged);
  ASSERT_TRUE(managed.ok());
  EXPECT_GE(managed->shared_fd, 0);
  ASSERT_TRUE(device_->CreateStream(3, StreamFlags::kNonBlocking).ok());
  device_->DropClient(3);
  // What the ledger knows of, the request handler releases.
  EXPECT_TRUE(device_->Release(memory->address).ok());
  EXPECT_TRUE(device_->Release(managed->address).ok());
  EXPECT_EQ(device_->GetMemoryInfo().free_bytes, before);
  LaunchRequest request;
  request.kernel = kernel->id;
  EXPECT_EQ(device_->Launch(request).error().code, CudaError::kInvalidDeviceFunction);
}

constexpr const char* kVariables = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b8 table[4096];
.const .align 4 .u32 fixed = 7;
.global .attribute(.managed) .align 4 .b8 shared[4096];
)";

TEST_F(VirtualGpuTest, AModuleThatIsUnloadedTakesItsVariablesAlong) {
  const auto before = device_->GetMemoryInfo().free_bytes;
  std::vector<DevicePointer> had;
  for (int turn = 0; turn < 3; ++turn) {
    const auto module = device_->LoadModule(3, WrapPtx(kVariables));
    ASSERT_TRUE(module.ok()) << module.error().message;
    for (const char* name : {"table", "fixed", "shared"})
      had.push_back(device_->FindVariable(*module, name)->address);
    EXPECT_EQ(device_->GetMemoryInfo().free_bytes, before - 4096 - 4 - 4096);
    ASSERT_TRUE(device_->UnloadModule(3, *module).ok());
    EXPECT_EQ(device_->GetMemoryInfo().free_bytes, before);
  }
  for (const DevicePointer variable : had) {
    const CudaStatus copied = device_->Fill(variable, 0, 4, 0);
    ASSERT_FALSE(copied.ok());
    EXPECT_EQ(copied.error().message, NotLiveMemory().message);
    Only(Run("", "mov.u64 %rd5, " + std::to_string(variable) + "; ld.global.u32 %r3, [%rd5];"),
         FindingKind::kUseAfterFree);
  }
}

TEST_F(VirtualGpuTest, AModuleThatIsRefusedHalfWayLeavesNothingBehind) {
  const auto before = device_->GetMemoryInfo().free_bytes;
  const std::string lost = std::string(kVariables) + ".global .align 8 .u64 pointer = nowhere;\n";
  const std::string huge = std::string(kVariables) + ".global .align 8 .b8 huge[1000000000000];\n";
  for (const std::string& text : {lost, huge}) {
    EXPECT_FALSE(device_->LoadModule(3, WrapPtx(text)).ok());
    EXPECT_EQ(device_->GetMemoryInfo().free_bytes, before);
  }
}

/// A program whose device code nvcc linked: an empty fatbin, and one for each file.
std::vector<std::byte> WrapFiles(const std::vector<std::string>& files) {
  std::vector<std::byte> all = WrapPtx("");
  all.resize(16);
  std::fill(all.begin() + 8, all.end(), std::byte{0});
  for (const std::string& file : files) {
    const auto fatbin = WrapPtx(".version 8.0\n.target sm_80\n.address_size 64\n" + file);
    all.insert(all.end(), fatbin.begin(), fatbin.end());
  }
  return all;
}

TEST_F(VirtualGpuTest, FilesOfAProgramUseEachOthersVariablesAndFunctions) {
  const auto module = device_->LoadModule(
      3,
      WrapFiles({".extern .func f;\n.extern .global .u32 x;\n.global .u64 pointer = x;\n"
                 ".visible .entry k() { .reg .b32 %r<2>; .reg .b64 %rd<2>; call.uni f;\n"
                 " ld.global.u64 %rd1, [pointer]; ld.global.u32 %r1, [%rd1];\n"
                 " add.u32 %r1, %r1, 1; st.global.u32 [x], %r1; ret; }\n",
                 ".visible .global .u32 x = 5;\n.global .u32 pointer = 30;\n"
                 ".visible .func f { .reg .b32 %r<3>; ld.global.u32 %r1, [x]; ld.global.u32 %r2, [pointer];\n"
                 " add.u32 %r1, %r1, %r2; st.global.u32 [x], %r1; ret; }\n"}));
  ASSERT_TRUE(module.ok()) << module.error().message;
  LaunchRequest launch;
  launch.kernel = device_->FindKernel(*module, "k")->id;
  EXPECT_TRUE(device_->Launch(launch).ok());
  EXPECT_TRUE(device_->TakeFindings().empty());
  EXPECT_EQ(Read(device_->FindVariable(*module, "x")->address, 1), std::vector<std::uint32_t>{36});
}

TEST_F(VirtualGpuTest, OnlyFunctionsThatAKernelMayCallAddToItsSharedMemory) {
  const auto module = device_->LoadModule(
      3, WrapFiles({".extern .func f;\n.visible .entry direct() { call.uni f; ret; }\n"
                    ".visible .entry alone() { .shared .b8 own[100]; ret; }\n"
                    ".visible .entry pointer() { .reg .b64 %rd; mov.u64 %rd, f;\n"
                    " any : .callprototype _ (); call %rd, (), any; ret; }\n",
                    ".shared .b8 of_f[1000];\n.shared .b8 of_g[10000];\n"
                    ".visible .func f { .shared .b8 inner[2000]; st.shared.u8 [of_f], 1; ret; }\n"
                    ".visible .func g { st.shared.u8 [of_g], 1; ret; }\n"}));
  ASSERT_TRUE(module.ok()) << module.error().message;
  const auto shared = [&](const char* name) {
    const auto kernel = device_->FindKernel(*module, name);
    EXPECT_TRUE(kernel.ok()) << kernel.error().message;
    return kernel.ok() ? kernel->resources.shared_bytes : 0;
  };
  EXPECT_EQ(shared("alone"), 100u);
  EXPECT_EQ(shared("direct"), 3000u);
  EXPECT_EQ(shared("pointer"), 13000u) << "which function is called, nobody knows";
}

TEST_F(VirtualGpuTest, FilesThatDefineTheSameAreRefused) {
  const auto module =
      device_->LoadModule(3, WrapFiles({".visible .global .u32 x;\n", ".visible .global .u32 x;\n"}));
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(English(module.error().message),
            "x is defined in two files of the program; define it in one file, and declare it extern in the "
            "others");
}

TEST(SeveralCards, ManagedVariablesOfAnUnloadedModuleAreGoneFromAll) {
  const DeviceProfile* const profile = FindDeviceProfile("a100");
  auto cards = MakeVirtualGpus(std::array{profile, profile}, {});
  ASSERT_TRUE(cards.ok()) << cards.error().message;
  const auto module = (*cards)[0]->LoadModule(3, WrapPtx(kVariables));
  const DevicePointer shared = (*cards)[0]->FindVariable(*module, "shared")->address;
  EXPECT_TRUE((*cards)[1]->Fill(shared, 0, 4096, 0).ok());
  ASSERT_TRUE((*cards)[0]->UnloadModule(3, *module).ok());
  for (const auto& card : *cards) EXPECT_FALSE(card->Fill(shared, 0, 4096, 0).ok());
}

}  // namespace
}  // namespace warplings::vgpu::virtual_gpu_test
