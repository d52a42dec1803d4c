// SPDX-License-Identifier: Apache-2.0
// Loops that do not end, and barriers that warps reach in parts.
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
    device_->SetObservation({true, true, budget});
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
  EXPECT_TRUE(Launch(8, 1024, true).ok());
  const CudaStatus refused = Launch(200, 1024, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CudaError::kLaunchOutOfResources);
  EXPECT_TRUE(Launch(200, 32, true).ok()) << "the same number of small blocks";
  EXPECT_TRUE(Launch(2000, 1024, false).ok()) << "blocks that need not be resident together";
}

TEST_F(ResidentBlocksTest, AllocationsLeaveLessForBlocks) {
  ASSERT_TRUE(device_->Allocate(30 << 20, AllocationKind::kDevice).ok());
  EXPECT_FALSE(Launch(8, 1024, true).ok());
  EXPECT_TRUE(Launch(1, 1024, true).ok());
}

}  // namespace
}  // namespace warplings::vgpu
