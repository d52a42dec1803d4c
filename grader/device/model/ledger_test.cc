// SPDX-License-Identifier: Apache-2.0
#include "grader/device/model/ledger.h"

#include <gtest/gtest.h>

#include "grader/device/model/memory_refusals.h"

namespace warplings {
namespace {

using Place = Ledger::Place;

constexpr ClientId kJudge = 0, kClient = 1, kOther = 2;
constexpr Place kHere{kClient, 0}, kSecondDevice{kClient, 1}, kOthers{kOther, 0};
constexpr DevicePointer kStart = 0x3000'0000'0000;

class LedgerTest : public testing::Test {
 protected:
  bool Add(const Place& owner, DevicePointer start, std::uint64_t bytes = 64,
           AllocationKind kind = AllocationKind::kDevice) {
    auto prepared = ledger_.PrepareMemory(owner, kind);
    if (prepared) ledger_.AddMemory(std::move(*prepared), start, bytes);
    return prepared.ok();
  }
  bool MayCopy(ClientId client, DevicePointer address, std::uint64_t bytes) const {
    return ledger_.CheckCopy(client, address, bytes).ok();
  }
  std::string WhyNotFree(ClientId client, DevicePointer address) const {
    const auto memory = ledger_.CheckFree(client, address);
    return memory ? "" : English(memory.error().message);
  }

  Ledger ledger_{{.allocations = 3,
                  .shared_allocations = 1,
                  .modules = 2,
                  .module_bytes = 100,
                  .all_module_bytes = 150,
                  .kernels = 2,
                  .streams = 2,
                  .events = 2}};
};

// --- Memory. ---------------------------------------------------------------------------------------

TEST_F(LedgerTest, ARangeIsInOneAllocationOrRefused) {
  EXPECT_TRUE(Add(kHere, kStart, 64));
  EXPECT_TRUE(Add(kHere, kStart + 64, 64)) << "no gap between them";
  EXPECT_TRUE(MayCopy(kClient, kStart, 64));
  EXPECT_TRUE(MayCopy(kClient, kStart + 63, 1));
  EXPECT_TRUE(MayCopy(kClient, kStart + 10, 0));
  EXPECT_FALSE(MayCopy(kClient, kStart, 65));
  EXPECT_FALSE(MayCopy(kClient, kStart + 60, 5));
  EXPECT_FALSE(MayCopy(kClient, kStart - 1, 1));
  EXPECT_FALSE(MayCopy(kClient, kStart + 128, 0)) << "the end is nobody's";
  EXPECT_FALSE(MayCopy(kClient, kStart + 8, ~std::uint64_t{0})) << "the sum passes the last address";
  EXPECT_FALSE(MayCopy(kClient, 0, 1));
  EXPECT_FALSE(MayCopy(kClient, ~std::uint64_t{0}, 1));
}

/// cudaMalloc without sizeof: the last element of the array is past the allocation's end.
TEST_F(LedgerTest, AnAddressJustPastAnAllocationIsSaidToBeThere) {
  const auto why = [this](ClientId client, DevicePointer address) {
    return English(ledger_.CheckCopy(client, address, 4).error().message);
  };
  EXPECT_TRUE(Add(kHere, kStart, 9));
  EXPECT_EQ(
      why(kClient, kStart + 32),
      "the device pointer points 32 bytes after the start of an allocation of 9 bytes; check that size, in "
      "bytes, and the offset");
  EXPECT_EQ(why(kClient, kStart + 256), English(NotLiveMemory().message))
      << "another one may have been there";
  EXPECT_EQ(why(kOther, kStart + 32), English(NotLiveMemory().message)) << "it is another client's";
  EXPECT_TRUE(Add(kHere, kStart + 512, 256));
  EXPECT_EQ(why(kClient, kStart + 768), English(NotLiveMemory().message));
  ledger_.RemoveMemory(kStart);
  EXPECT_EQ(why(kClient, kStart + 32), English(NotLiveMemory().message)) << "it is freed";
}

TEST_F(LedgerTest, AnAllocationOfNothingIsItsStart) {
  EXPECT_TRUE(Add(kHere, kStart, 0));
  EXPECT_TRUE(MayCopy(kClient, kStart, 0));
  EXPECT_FALSE(MayCopy(kClient, kStart, 1));
  EXPECT_FALSE(MayCopy(kClient, kStart + 1, 0));
  EXPECT_EQ(WhyNotFree(kClient, kStart), "");
}

TEST_F(LedgerTest, WhoMayCopyAndWhoMayFree) {
  EXPECT_TRUE(Add(kHere, kStart));
  EXPECT_TRUE(Add({kJudge, 0}, kStart + 0x1000));
  EXPECT_TRUE(MayCopy(kClient, kStart, 64));
  EXPECT_TRUE(MayCopy(kJudge, kStart, 64));
  EXPECT_FALSE(MayCopy(kOther, kStart, 64));
  EXPECT_TRUE(MayCopy(kClient, kStart + 0x1000, 64)) << "the arguments of a submission's function";

  EXPECT_EQ(WhyNotFree(kClient, kStart), "");
  EXPECT_EQ(WhyNotFree(kOther, kStart), English(NotAnAllocation().message));
  EXPECT_EQ(WhyNotFree(kJudge, kStart), English(NotAnAllocation().message));
  EXPECT_NE(WhyNotFree(kClient, kStart + 0x1000).find("don't free it"), std::string::npos);
  EXPECT_NE(WhyNotFree(kClient, kStart + 8).find("8 bytes after its start"), std::string::npos);
  EXPECT_EQ(WhyNotFree(kOther, kStart + 8), English(NotAnAllocation().message))
      << "nothing is told of the memory of others";
}

TEST_F(LedgerTest, FreedMemoryIsNobodys) {
  EXPECT_TRUE(Add(kHere, kStart));
  ledger_.RemoveMemory(kStart);
  EXPECT_FALSE(MayCopy(kClient, kStart, 1));
  EXPECT_NE(WhyNotFree(kClient, kStart).find("is already freed"), std::string::npos);
  ledger_.RemoveMemory(kStart);  // nothing to remove
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Add(kHere, kStart + 0x1000u * static_cast<unsigned>(i)));
  EXPECT_FALSE(Add(kHere, kStart + 0x9000));
}

TEST_F(LedgerTest, AllocationsAreCountedByClientAndDevice) {
  EXPECT_TRUE(Add(kHere, kStart, 64, AllocationKind::kPinned));
  EXPECT_FALSE(Add(kHere, kStart + 0x1000, 64, AllocationKind::kManaged));
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x1000, 64, AllocationKind::kManaged));
  EXPECT_TRUE(Add(kHere, kStart + 0x2000));
  EXPECT_TRUE(Add(kHere, kStart + 0x3000));
  const auto full = ledger_.PrepareMemory(kHere, AllocationKind::kDevice);
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, CudaError::kMemoryAllocation);
  EXPECT_NE(English(full.error().message).find("At most 3 allocations"), std::string::npos);
  EXPECT_TRUE(Add(kOthers, kStart + 0x4000));

  ledger_.RemoveMemory(kStart);
  EXPECT_TRUE(Add(kHere, kStart + 0x5000, 64, AllocationKind::kManaged));
}

TEST_F(LedgerTest, WhatIsPreparedAndNotAddedIsNotCounted) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(ledger_.PrepareMemory(kHere, AllocationKind::kPinned).ok());
}

TEST_F(LedgerTest, WhoSharesMemoryWithItsHost) {
  EXPECT_TRUE(Add(kHere, kStart));
  EXPECT_FALSE(ledger_.SharesWithHost(kClient));
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x1000, 64, AllocationKind::kPinned));
  EXPECT_TRUE(ledger_.SharesWithHost(kClient));
  EXPECT_FALSE(ledger_.SharesWithHost(kOther));
  ledger_.RemoveMemory(kStart + 0x1000);
  EXPECT_FALSE(ledger_.SharesWithHost(kClient));
  ledger_.AddModule(kHere, 1, 8);
  ledger_.AddVariable(kHere, 1, kStart + 0x2000, 4, AllocationKind::kDevice);
  EXPECT_FALSE(ledger_.SharesWithHost(kClient));
  ledger_.AddVariable(kHere, 1, kStart + 0x3000, 4, AllocationKind::kManaged);
  EXPECT_TRUE(ledger_.SharesWithHost(kClient));
  ledger_.AddVariable(kHere, 1, kStart + 0x3000, 4, AllocationKind::kManaged);  // Asked for again.
  ledger_.AddModule(kHere, 2, 8);
  ledger_.AddVariable(kHere, 2, kStart + 0x4000, 4, AllocationKind::kManaged);
  EXPECT_TRUE(ledger_.RemoveModule(kHere, 1));
  EXPECT_TRUE(ledger_.SharesWithHost(kClient));
  EXPECT_TRUE(ledger_.RemoveModule(kHere, 2));
  EXPECT_FALSE(ledger_.SharesWithHost(kClient)) << "the device has freed it";
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x1000, 64, AllocationKind::kPinned));
  ledger_.Forget(kHere);
  EXPECT_TRUE(ledger_.SharesWithHost(kClient));
  EXPECT_FALSE(ledger_.SharesWithHost(kOther));
  ledger_.Forget(kSecondDevice);
  EXPECT_FALSE(ledger_.SharesWithHost(kClient));
}

TEST_F(LedgerTest, KeptMemoryIsFreedForItsOwnerOnly) {
  EXPECT_TRUE(Add(kHere, kStart));
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x1000));
  EXPECT_TRUE(ledger_.KeepMemory(kStart));
  EXPECT_TRUE(ledger_.KeepMemory(kStart + 0x1000));
  EXPECT_FALSE(MayCopy(kClient, kStart, 1));
  EXPECT_NE(WhyNotFree(kClient, kStart), "");
  EXPECT_EQ(ledger_.Forget(kSecondDevice).size(), 1u) << "its device still has the pages";
  const auto kept = ledger_.TakeKept();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.begin()->first, kStart);
  EXPECT_EQ(kept.begin()->second.owner, kHere);
  EXPECT_TRUE(ledger_.TakeKept().empty());
}

TEST_F(LedgerTest, KeptMemoryHasAnEnd) {
  for (std::size_t i = 0; i < Ledger::kMostKept; ++i) {
    ASSERT_TRUE(Add(kHere, kStart + 0x1000 * i));
    ASSERT_TRUE(ledger_.KeepMemory(kStart + 0x1000 * i));
  }
  EXPECT_TRUE(Add(kHere, kStart - 0x1000));
  EXPECT_FALSE(ledger_.KeepMemory(kStart - 0x1000));
  EXPECT_EQ(WhyNotFree(kClient, kStart - 0x1000), "") << "nothing was done to it";
}

TEST_F(LedgerTest, ALeakIsMemoryThatAClientHoldsAndIsCountedOnce) {
  EXPECT_TRUE(Add({kJudge, 0}, kStart));
  EXPECT_TRUE(Add(kHere, kStart + 0x1000, 4));
  EXPECT_TRUE(Add(kHere, kStart + 0x2000, 8, AllocationKind::kManaged));
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x3000, 16));
  EXPECT_TRUE(Add(kOthers, kStart + 0x4000, 32, AllocationKind::kPinned));
  EXPECT_TRUE(Add(kOthers, kStart + 0x5000, 64));
  ledger_.AddVariable(kHere, 1, kStart + 0x6000, 4, AllocationKind::kDevice);
  EXPECT_TRUE(ledger_.KeepMemory(kStart + 0x5000)) << "its owner has freed it";

  const auto own = ledger_.TakeLeaks(0, kClient);
  EXPECT_EQ(own.count, 2u);
  EXPECT_EQ(own.bytes, 12u);
  EXPECT_TRUE(own.device && own.managed && !own.pinned);
  const auto rest = ledger_.TakeLeaks(0, std::nullopt);
  EXPECT_EQ(rest.count, 1u);
  EXPECT_EQ(rest.bytes, 32u);
  EXPECT_TRUE(rest.pinned && !rest.device && !rest.managed);
  EXPECT_EQ(ledger_.TakeLeaks(0, std::nullopt).count, 0u);
  EXPECT_EQ(ledger_.TakeLeaks(1, std::nullopt).bytes, 16u);
}

TEST_F(LedgerTest, AnArrayIsALeakAndATextureObjectIsNone) {
  EXPECT_TRUE(Add(kHere, kStart, 80, AllocationKind::kDescriptor));
  EXPECT_EQ(ledger_.TakeLeaks(0, kClient).count, 0u);
  EXPECT_TRUE(Add(kHere, kStart + 0x1000, 256, AllocationKind::kArray));
  const auto own = ledger_.TakeLeaks(0, kClient);
  EXPECT_EQ(own.count, 1u);
  EXPECT_TRUE(own.array && !own.device && !own.managed && !own.pinned);
}

TEST_F(LedgerTest, MemoryInUseIsCountedByDeviceAtItsMost) {
  EXPECT_TRUE(Add({kJudge, 0}, kStart, 1 << 20));
  EXPECT_TRUE(Add(kHere, kStart + 0x1000, 100));
  EXPECT_TRUE(Add(kHere, kStart + 0x2000, 50, AllocationKind::kManaged));
  ledger_.RemoveMemory(kStart + 0x1000);
  EXPECT_TRUE(Add(kHere, kStart + 0x3000, 30));
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x4000, 16));
  EXPECT_TRUE(Add(kOthers, kStart + 0x5000, 1000, AllocationKind::kPinned)) << "the host's";
  EXPECT_TRUE(Add(kOthers, kStart + 0x6000, 1000, AllocationKind::kDescriptor)) << "the runtime's own";
  EXPECT_EQ(ledger_.TakeMemoryUse(1).most_bytes, 16u);
  const auto use = ledger_.TakeMemoryUse(0);
  EXPECT_EQ(use.allocations, 4u);
  EXPECT_EQ(use.bytes, 80u);
  EXPECT_EQ(use.most_bytes, 150u);

  ledger_.BeginFree(kStart + 0x3000);
  EXPECT_TRUE(Add(kOthers, kStart + 0x7000, 1));
  ledger_.EndFree(kStart + 0x3000);
  EXPECT_TRUE(ledger_.KeepMemory(kStart + 0x2000));
  ledger_.Forget(kHere);
  const auto later = ledger_.TakeMemoryUse(0);
  EXPECT_EQ(later.allocations, 1u);
  EXPECT_EQ(later.bytes, 1u);
  EXPECT_EQ(later.most_bytes, 81u) << "until its stream gets there";
}

TEST_F(LedgerTest, MemoryOfAGraphIsInUseWhileItIsThere) {
  EXPECT_TRUE(Add(kHere, kStart, 64, AllocationKind::kGraph));
  EXPECT_EQ(ledger_.TakeMemoryUse(0).most_bytes, 0u);
  ledger_.NoteGraphMemory(kStart, true);
  ledger_.NoteGraphMemory(kStart, true);
  EXPECT_EQ(ledger_.TakeMemoryUse(0).bytes, 64u);
  ledger_.NoteGraphMemory(kStart, false);
  ledger_.RemoveMemory(kStart);
  EXPECT_EQ(ledger_.TakeMemoryUse(0).bytes, 0u);
}

// --- Modules, kernels, variables. ------------------------------------------------------------------

TEST_F(LedgerTest, KernelsAndVariablesGoWithTheirModule) {
  ledger_.AddModule(kHere, 1, 10);
  ledger_.AddModule(kHere, 2, 10);
  ledger_.AddKernel(kHere, 7, {1, "tile"});
  ledger_.AddKernel(kHere, 8, {2, "scan"});
  ledger_.AddVariable(kHere, 1, kStart, 4, AllocationKind::kDevice);
  ledger_.AddVariable(kHere, 2, kStart + 4, 4, AllocationKind::kDevice);
  const Ledger::Memory* const known = ledger_.FindMemory(kStart);
  ledger_.AddVariable(kHere, 1, kStart, 4, AllocationKind::kDevice);
  EXPECT_EQ(ledger_.FindMemory(kStart), known) << "asked for again, it is the same";
  EXPECT_TRUE(MayCopy(kClient, kStart, 4));
  EXPECT_FALSE(MayCopy(kOther, kStart, 4));
  EXPECT_NE(WhyNotFree(kClient, kStart), "") << "cudaFree of a variable";
  EXPECT_EQ(ledger_.FindKernel(kHere, 7)->name, "tile");

  EXPECT_TRUE(ledger_.RemoveModule(kHere, 1));
  EXPECT_FALSE(ledger_.HasModule(kHere, 1));
  EXPECT_EQ(ledger_.FindKernel(kHere, 7), nullptr);
  EXPECT_FALSE(MayCopy(kClient, kStart, 4));
  EXPECT_NE(ledger_.FindKernel(kHere, 8), nullptr);
  EXPECT_TRUE(MayCopy(kClient, kStart + 4, 4));
  EXPECT_FALSE(ledger_.RemoveModule(kHere, 1));
}

TEST_F(LedgerTest, ModulesAreCountedAndWeighed) {
  EXPECT_TRUE(ledger_.CheckRoomForModule(kHere, 150).ok());
  EXPECT_FALSE(ledger_.CheckRoomForModule(kHere, 151).ok());
  ledger_.AddModule(kHere, 1, 100);
  EXPECT_TRUE(ledger_.CheckRoomForModule(kHere, 50).ok());
  EXPECT_FALSE(ledger_.CheckRoomForModule(kHere, 51).ok());
  ledger_.AddModule(kHere, 2, 0);
  EXPECT_FALSE(ledger_.CheckRoomForModule(kHere, 0).ok());
  EXPECT_TRUE(ledger_.CheckRoomForModule(kOthers, 150).ok());
}

// --- Handles. --------------------------------------------------------------------------------------

TEST_F(LedgerTest, AnIdOfAnotherClientOrDeviceIsUnknown) {
  ledger_.AddModule(kHere, 1, 0);
  ledger_.AddKernel(kHere, 7, {1, "tile"});
  ledger_.AddStream(kHere, 16, -2);
  ledger_.AddEvent(kHere, 16);
  for (const Place& place : {kOthers, kSecondDevice, Place{kJudge, 0}}) {
    EXPECT_FALSE(ledger_.HasModule(place, 1));
    EXPECT_FALSE(ledger_.RemoveModule(place, 1));
    EXPECT_EQ(ledger_.FindKernel(place, 7), nullptr);
    EXPECT_FALSE(ledger_.MayUseStream(place, 16));
    EXPECT_FALSE(ledger_.RemoveStream(place, 16));
    EXPECT_FALSE(ledger_.HasEvent(place, 16));
    EXPECT_FALSE(ledger_.RemoveEvent(place, 16));
    EXPECT_TRUE(ledger_.MayUseStream(place, 0));
  }
  EXPECT_TRUE(ledger_.MayUseStream(kHere, 16));
  EXPECT_EQ(ledger_.PriorityOf(kHere, 16), -2);
  EXPECT_EQ(ledger_.PriorityOf(kHere, 0), 0);
  EXPECT_TRUE(ledger_.RemoveStream(kHere, 16));
  EXPECT_FALSE(ledger_.MayUseStream(kHere, 16));
  EXPECT_TRUE(ledger_.RemoveEvent(kHere, 16));
  EXPECT_FALSE(ledger_.HasEvent(kHere, 16));
}

TEST_F(LedgerTest, HandlesAreCounted) {
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_TRUE(ledger_.CheckRoomForStream(kHere).ok());
    EXPECT_TRUE(ledger_.CheckRoomForEvent(kHere).ok());
    EXPECT_TRUE(ledger_.CheckRoomForKernel(kHere).ok());
    ledger_.AddStream(kHere, 16 + i, 0);
    ledger_.AddEvent(kHere, 16 + i);
    ledger_.AddKernel(kHere, 1 + i, {1, "k"});
  }
  EXPECT_FALSE(ledger_.CheckRoomForStream(kHere).ok());
  EXPECT_FALSE(ledger_.CheckRoomForEvent(kHere).ok());
  EXPECT_FALSE(ledger_.CheckRoomForKernel(kHere).ok());
  EXPECT_TRUE(ledger_.CheckRoomForStream(kOthers).ok());
}

TEST_F(LedgerTest, WhoIsForgottenHasNothing) {
  EXPECT_TRUE(Add(kHere, kStart, 64, AllocationKind::kManaged));
  EXPECT_TRUE(Add(kSecondDevice, kStart + 0x1000));
  EXPECT_TRUE(Add(kOthers, kStart + 0x2000));
  ledger_.AddModule(kHere, 1, 100);
  ledger_.AddVariable(kHere, 1, kStart + 0x3000, 4, AllocationKind::kDevice);
  ledger_.AddStream(kHere, 16, 0);
  const auto forgotten = ledger_.Forget(kHere);
  ASSERT_EQ(forgotten.size(), 1u) << "the variable goes with its module";
  EXPECT_EQ(forgotten.begin()->first, kStart);
  EXPECT_FALSE(MayCopy(kClient, kStart, 1));
  EXPECT_FALSE(MayCopy(kClient, kStart + 0x3000, 1));
  EXPECT_FALSE(ledger_.HasModule(kHere, 1));
  EXPECT_FALSE(ledger_.MayUseStream(kHere, 16));
  EXPECT_TRUE(MayCopy(kClient, kStart + 0x1000, 1)) << "it is on another device";
  EXPECT_TRUE(MayCopy(kOther, kStart + 0x2000, 1));
  EXPECT_TRUE(Add(kHere, kStart, 64, AllocationKind::kManaged)) << "and its count begins anew";
}

}  // namespace
}  // namespace warplings
