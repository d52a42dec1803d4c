// SPDX-License-Identifier: Apache-2.0
// Loops that do not end, barriers that warps reach in parts, and the order of blocks.
#include "tests/support/drawn.h"
#include "tests/support/kernel_test.h"

namespace warplings::vgpu {
namespace {

using SchedulingTest = VirtualGpuTest;

// --- Endless loops. --------------------------------------------------------------------------------------

/// Whatever part of the loop the last instruction of the budget is: a block whose warps all wait when it is
/// used up has not ended either.
TEST_F(SchedulingTest, AnEndlessLoopIsFoundWithEveryBudget) {
  Load(KernelText("", "L: bar.sync 0; add.u32 %r3, %r3, 1; bra L;"));
  for (std::uint64_t budget = 1000; budget < 1040; ++budget) {
    device_->SetObservation({.max_warp_instructions = budget});
    EXPECT_TRUE(device_->Launch(Request(1, 64)).ok());
    const CudaStatus done = device_->SynchronizeAll();
    ASSERT_FALSE(done.ok()) << budget;
    EXPECT_EQ(done.error().code, CudaError::kLaunchTimeout) << budget;
    EXPECT_TRUE(Only(device_->TakeFindings(), FindingKind::kEndlessLoop)) << budget;
  }
}

// --- Barriers. -------------------------------------------------------------------------------------------

/// The halves of warp 0 arrive in turns; warp 1 stores before it comes, and warp 0 reads that behind it.
TEST_F(SchedulingTest, HalvesOfAWarpArriveOnceAtANamedBarrier) {
  EXPECT_TRUE(Run(".shared .align 4 .u32 stored[64];", R"(
  mov.u32 %r3, stored;
  shl.b32 %r4, %r2, 2;
  add.u32 %r5, %r3, %r4;
  st.shared.u32 [%r5], %r2;
  setp.lt.u32 %p1, %r2, 16;
  @%p1 bra LOW;
  barrier.sync 1, 64;
  bra BEHIND;
LOW: barrier.sync 1, 64;
BEHIND:
  xor.b32 %r6, %r4, 128;
  add.u32 %r7, %r3, %r6;
  ld.shared.u32 %r8, [%r7];
)" + std::string(kOwnElement) + "st.global.u32 [%rd4], %r8;",
                  1, 64)
                  .empty());
  const auto values = Read(b_, 64);
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(values[t], t ^ 32u) << t;
}

// --- The order of blocks that may communicate. ----------------------------------------------------------

/// The first thread of block i waits for a[i - 1], adds it to b[i] and stores the sum in a[i], too, where it
/// is the flag of block i. `before_each_look` is executed before each look at a flag, and `number` puts i
/// into %r3.
std::string ChainOfSums(const std::string& before_each_look = "",
                        const std::string& number = "mov.u32 %r3, %ctaid.x;") {
  return number + R"(
  mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra END;
  mov.u32 %r4, 0;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra ADD;
LOOK: )" +
         before_each_look +
         R"(
  ld.volatile.global.u32 %r4, [%rd4+-4];
  setp.eq.u32 %p1, %r4, 0;
  @%p1 bra LOOK;
ADD:
  ld.global.u32 %r5, [%rd5];
  add.u32 %r4, %r4, %r5;
  st.global.u32 [%rd5], %r4;
  st.volatile.global.u32 [%rd4], %r4;
END:)";
}

class BlockOrderTest : public SchedulingTest {
 protected:
  static constexpr std::uint32_t kBlocks = 10;

  void Reorder() {
    ObservationOptions options;
    options.max_warp_instructions = 1'000'000;
    options.block_order = BlockOrder::kDescendingInGroups;
    device_->SetObservation(options);
  }
  /// Launches the kernel that was loaded with `value` in each element of b, and returns b.
  std::vector<std::uint32_t> Sums(std::uint32_t value, bool cooperative = false, std::uint32_t threads = 32) {
    Write(b_, std::vector<std::uint32_t>(kBlocks, value));
    LaunchRequest request = Request(kBlocks, threads);
    request.cooperative = cooperative;
    EXPECT_TRUE(device_->Launch(request).ok());
    EXPECT_TRUE(device_->TakeFindings().empty());
    return Read(b_, kBlocks);
  }
  void ResetFlags() { Write(a_, std::vector<std::uint32_t>(kBlocks, 0)); }
};

const std::vector<std::uint32_t> kOfOnes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                                 kOfTens = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100};

TEST_F(BlockOrderTest, GroupsRunFromTheirLastBlockToTheirFirst) {
  Load(KernelText("", std::string(kOwnElement) + R"(
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra END;
  mul.wide.u32 %rd5, %r28, 4;
  add.s64 %rd6, %rd2, %rd5;
  atom.global.add.u32 %r4, [%rd1], 1;
  st.global.u32 [%rd6], %r4;
END:)"));
  ResetFlags();
  EXPECT_EQ(Sums(0), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  Reorder();
  ResetFlags();
  EXPECT_EQ(Sums(0), (std::vector<std::uint32_t>{3, 2, 1, 0, 4, 5, 6, 7, 9, 8}))
      << "blocks 4 to 7 run alone up to a barrier, and there is none";
  ResetFlags();
  EXPECT_EQ(Sums(0, true), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})) << "cooperative";
}

TEST_F(BlockOrderTest, ABlockThatWaitsFindsTheFlagInBothOrders) {
  Load(KernelText("", ChainOfSums()));
  ResetFlags();
  EXPECT_EQ(Sums(1), kOfOnes);
  Reorder();
  ResetFlags();
  EXPECT_EQ(Sums(1), kOfOnes);
}

/// With so few accesses it does not look like spinning.
TEST_F(BlockOrderTest, ABlockMayComputeBetweenTwoLooks) {
  Load(KernelText("", ChainOfSums(R"(
  mov.u32 %r6, 0;
DELAY: add.u32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 100;
  @%p2 bra DELAY;)")));
  Reorder();
  ResetFlags();
  EXPECT_EQ(Sums(1), kOfOnes);
}

TEST_F(BlockOrderTest, FlagsOfAnEarlierLaunchShow) {
  Load(KernelText("", ChainOfSums()));
  ResetFlags();
  EXPECT_EQ(Sums(1), kOfOnes);
  EXPECT_EQ(Sums(10), kOfTens) << "each block comes after the one that it should wait for";
  Reorder();
  EXPECT_NE(Sums(1), kOfOnes);
}

/// Whichever block starts first is number 0, and so on: only a block that is held up after it got its number
/// shows that the next one does not wait.
TEST_F(BlockOrderTest, FlagsOfAnEarlierLaunchShowWhereBlocksNumberThemselves) {
  Load(KernelText("", ChainOfSums("", R"(
  setp.ne.u32 %p3, %r2, 0;
  @!%p3 atom.global.add.u32 %r3, [%rd1+128], 1;
  bar.sync 0;)")));
  // Of two warps, the first waits at the barrier for the second.
  const auto sums = [this](std::uint32_t value) {
    Write(a_ + 128, {0});
    return Sums(value, false, 64);
  };
  ResetFlags();
  EXPECT_EQ(sums(1), kOfOnes);
  EXPECT_EQ(sums(10), kOfTens) << "each block comes after the one that it should wait for";
  Reorder();
  EXPECT_NE(sums(1), kOfOnes);
  ResetFlags();
  EXPECT_EQ(sums(1), kOfOnes) << "with flags that were reset";
}

TEST_F(BlockOrderTest, ABlockMayWaitForTheLastOne) {
  Load(KernelText("", R"(
  atom.global.add.u32 %r3, [%rd1], 1;
LOOK: ld.volatile.global.u32 %r3, [%rd1];
  setp.lt.u32 %p1, %r3, 320;
  @%p1 bra LOOK;)"));
  Reorder();
  ResetFlags();
  Sums(1);
}

TEST_F(BlockOrderTest, AFlagThatNobodySetsIsFound) {
  Load(KernelText("", "LOOK: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra LOOK;"));
  Reorder();
  ResetFlags();
  EXPECT_TRUE(device_->Launch(Request(kBlocks, 32)).ok());
  EXPECT_TRUE(Only(device_->TakeFindings(), FindingKind::kEndlessLoop));
}

// --- Memory of resident blocks. --------------------------------------------------------------------------

class ResidentBlocksTest : public SchedulingTest {
 protected:
  void SetUp() override {
    auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {.memory_bytes = 32 << 20, .host_threads = 4});
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(device).value();
    a_ = Array(64, "A");
    b_ = Array(64, "B");
    // 1024 threads with 1 KiB of local memory each.
    Load(KernelText(".local .align 4 .b8 stack[1024];", "st.local.u32 [stack], %r2;"));
  }
  CudaStatus Launch(std::uint32_t blocks, std::uint32_t threads, bool cooperative) {
    LaunchRequest request = Request(blocks, threads);
    request.cooperative = cooperative;
    return device_->Launch(request);
  }
};

TEST_F(ResidentBlocksTest, BlocksOfACooperativeLaunchFitIntoMemoryTogether) {
  RUN_ONE_IN(3);
  EXPECT_TRUE(Launch(8, 1024, true).ok());
  const CudaStatus refused = Launch(200, 1024, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CudaError::kLaunchOutOfResources);
  EXPECT_TRUE(Launch(200, 32, true).ok()) << "the same number of small blocks";
  EXPECT_TRUE(Launch(2000, 1024, false).ok()) << "blocks that need not be resident together";
}

/// With room for one block there is no other order than theirs.
TEST_F(ResidentBlocksTest, AGroupIsNoLargerThanTheNumberOfResidentBlocks) {
  Load(KernelText(".local .align 4 .b8 stack[1024];", "st.local.u32 [stack], %r2;" + ChainOfSums()));
  ASSERT_TRUE(device_->Allocate(30 << 20, AllocationKind::kDevice).ok());
  ObservationOptions options;
  options.block_order = BlockOrder::kDescendingInGroups;
  device_->SetObservation(options);
  Write(a_, {0, 0, 0, 0, 0, 0});
  Write(b_, {1, 1, 1, 1, 1, 1});
  EXPECT_TRUE(Launch(6, 1024, false).ok());
  EXPECT_EQ(Read(b_, 6), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(ResidentBlocksTest, AllocationsLeaveLessForBlocks) {
  ASSERT_TRUE(device_->Allocate(30 << 20, AllocationKind::kDevice).ok());
  EXPECT_FALSE(Launch(8, 1024, true).ok());
  EXPECT_TRUE(Launch(1, 1024, true).ok());
}

}  // namespace
}  // namespace warplings::vgpu
