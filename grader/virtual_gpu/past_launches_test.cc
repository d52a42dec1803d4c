// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/past_launches.h"

#include <cstring>
#include <functional>

#include "tests/support/kernel_test.h"

namespace warplings::vgpu {
namespace {

constexpr double kLong = 10;  ///< Seconds: worth any copies.

class PastLaunchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto space = AddressSpace::Create(0);
    ASSERT_TRUE(space.ok());
    space_ = *space;
    memory_ = std::make_unique<GlobalMemory>(std::uint64_t{1} << 24, space_);
    in_ = Allocate();
    out_ = Allocate();
  }

  DevicePointer Allocate() {
    auto region = memory_->Allocate(kBytes, AllocationKind::kDevice);
    EXPECT_TRUE(region.ok());
    memory_->SetInitialised((*region)->start, kBytes, true);
    return (*region)->start;
  }

  using Shown = PastLaunches::Shown;
  /// What a launch reads and writes, and what it stores there: the last argument is that of the launch.
  struct Kernel {
    DevicePointer reads = 0, writes = 0;
    std::function<int(int)> result = [](int read) { return read + 1; };
    Shown shown = EndsWell();
  };
  static Shown EndsWell() {
    Shown shown;
    shown.outcome.completed = true;
    shown.outcome.warp_instructions = 77;
    return shown;
  }
  /// Adds 1 to what is in `in_` and stores it in `out_`.
  Kernel AddOne() const { return {.reads = in_, .writes = out_}; }
  /// Changes what it reads.
  Kernel MakeEven() const {
    return {.reads = out_, .writes = out_, .result = [](int read) { return read / 2 * 2; }};
  }

  /// True if it ran.
  bool Launch(PastLaunches& past, const Kernel& kernel, double seconds = kLong, KernelId id = 1) {
    const PastLaunches::Key key{id, {1, 1, 1}, {1, 1, 1}, 0, false, {}};
    const bool with_accesses = kernel.shown.accesses.has_value();
    if (const Shown* shown = past.Repeat(key, *memory_, with_accesses)) {
      EXPECT_EQ(shown->outcome.warp_instructions, 77u);
      EXPECT_TRUE(shown->accesses || !with_accesses);
      return false;
    }
    past.BeforeRun(key, *memory_);
    AccessMap touched;
    touched.Find(*memory_->Find(kernel.reads))->Mark(AccessMap::kRead, kernel.reads, 4);
    touched.Find(*memory_->Find(kernel.writes))->Mark(AccessMap::kWritten, kernel.writes, 4);
    const int result = kernel.result(Value(kernel.reads));
    std::memcpy(HostPointer(kernel.writes), &result, sizeof result);
    memory_->SetInitialised(kernel.writes, 4, true);
    past.AfterRun(key, *memory_, touched.Touched(), seconds, [&] { return kernel.shown; });
    return true;
  }

  void Store(DevicePointer at, int value) {
    std::memcpy(HostPointer(at), &value, sizeof value);
    memory_->NoteWrite(at);
  }
  void ForgetThatItWasWritten(DevicePointer at) {
    memory_->SetInitialised(at, kBytes, false);
    memory_->NoteWrite(at);
  }
  int Value(DevicePointer at) const {
    int value = 0;
    std::memcpy(&value, HostPointer(at), sizeof value);
    return value;
  }

  static constexpr std::uint64_t kBytes = 64, kLimit = 1 << 20;
  std::shared_ptr<AddressSpace> space_;
  std::unique_ptr<GlobalMemory> memory_;
  DevicePointer in_ = 0, out_ = 0;
};

TEST_F(PastLaunchesTest, TheSecondOfLaunchesThatAreAlikeNeedNotRun) {
  PastLaunches past(kLimit);
  EXPECT_TRUE(Launch(past, AddOne()));
  EXPECT_FALSE(Launch(past, AddOne()));
  EXPECT_GT(past.bytes(), 0u);
  past.Clear();
  EXPECT_EQ(past.bytes(), 0u);
  EXPECT_TRUE(Launch(past, AddOne()));
}

TEST_F(PastLaunchesTest, OtherDataRunsAndEachIsKept) {
  PastLaunches past(kLimit);
  for (const int value : {0, 5}) {
    Store(in_, value);
    EXPECT_TRUE(Launch(past, AddOne()));
    EXPECT_EQ(Value(out_), value + 1);
  }
  for (const int value : {0, 5, 5, 0}) {
    Store(in_, value);
    EXPECT_FALSE(Launch(past, AddOne()));
    EXPECT_EQ(Value(out_), value + 1);
  }
}

TEST_F(PastLaunchesTest, BytesThatAreNeitherReadNorWrittenMayDiffer) {
  PastLaunches past(kLimit);
  EXPECT_TRUE(Launch(past, AddOne()));
  Store(in_ + 4, 8);
  Store(out_ + 4, 9);
  EXPECT_FALSE(Launch(past, AddOne()));
  EXPECT_EQ(Value(out_ + 4), 9);
}

TEST_F(PastLaunchesTest, MemoryIsLeftAsTheEarlierLaunchLeftIt) {
  PastLaunches past(kLimit);
  EXPECT_TRUE(Launch(past, AddOne()));
  Store(out_, 9);
  ForgetThatItWasWritten(out_);
  EXPECT_FALSE(Launch(past, AddOne()));
  EXPECT_EQ(Value(out_), 1);
  EXPECT_EQ(*memory_->Shadow(out_), 0xf);
  EXPECT_EQ(*memory_->Shadow(out_ + 4), 0);
}

TEST_F(PastLaunchesTest, OfWhatALaunchChangesItIsKnownBeforeTheSecondOne) {
  PastLaunches past(kLimit);
  for (const int value : {3, 3, 7}) {
    Store(out_, value);
    EXPECT_TRUE(Launch(past, MakeEven()));
    EXPECT_EQ(Value(out_), value - 1);
  }
  for (const int value : {3, 7, 3}) {
    Store(out_, value);
    EXPECT_FALSE(Launch(past, MakeEven()));
    EXPECT_EQ(Value(out_), value - 1);
  }
  EXPECT_TRUE(Launch(past, MakeEven()));
  EXPECT_FALSE(Launch(past, MakeEven()));
}

TEST_F(PastLaunchesTest, MemoryThatWasNeverWrittenIsNotTheSameAsZeros) {
  PastLaunches past(kLimit);
  EXPECT_TRUE(Launch(past, AddOne()));
  ForgetThatItWasWritten(in_);
  EXPECT_TRUE(Launch(past, AddOne()));
}

TEST_F(PastLaunchesTest, WhatIsWrittenMustBeAsBeforeWhereFindingsOrAccessesMaySaySo) {
  Kernel finds = AddOne(), records = AddOne();
  finds.shown.outcome.findings.emplace_back();
  records.shown.accesses.emplace();
  for (const Kernel& kernel : {finds, records}) {
    PastLaunches past(kLimit);
    for (const int before : {8, 8, 9}) {
      Store(out_, before);
      EXPECT_TRUE(Launch(past, kernel));
    }
    Store(out_, 8);
    EXPECT_FALSE(Launch(past, kernel));
  }
}

TEST_F(PastLaunchesTest, AccessesAreShownOnlyIfTheyWereRecorded) {
  PastLaunches past(kLimit);
  Kernel records = AddOne();
  records.shown.accesses.emplace();
  EXPECT_TRUE(Launch(past, AddOne()));
  EXPECT_TRUE(Launch(past, records));
  EXPECT_TRUE(Launch(past, records));
  EXPECT_FALSE(Launch(past, records));
  EXPECT_FALSE(Launch(past, AddOne()));
}

TEST_F(PastLaunchesTest, TheHostWritesManagedMemoryUnseen) {
  auto managed = memory_->Allocate(kBytes, AllocationKind::kManaged);
  ASSERT_TRUE(managed.ok());
  const Kernel kernel{.reads = (*managed)->start, .writes = out_};
  PastLaunches past(kLimit);
  for (const int value : {1, 2}) {
    std::memcpy(HostPointer(kernel.reads), &value, sizeof value);
    EXPECT_TRUE(Launch(past, kernel));
    EXPECT_FALSE(Launch(past, kernel));
    EXPECT_EQ(Value(out_), value + 1);
  }
}

TEST_F(PastLaunchesTest, AnotherArrayAtTheAddressRuns) {
  PastLaunches past(kLimit);
  Launch(past, AddOne());
  ASSERT_TRUE(memory_->Free(out_).ok());
  const PastLaunches::Key key{1, {1, 1, 1}, {1, 1, 1}, 0, false, {}};
  EXPECT_EQ(past.Repeat(key, *memory_, false), nullptr);
}

/// A graph takes its memory away and puts it back, with what fresh memory holds.
TEST_F(PastLaunchesTest, MemoryThatWasAwayIsNotAsTheLaunchLeftIt) {
  const auto graphs = memory_->Allocate(kBytes, AllocationKind::kGraph);
  ASSERT_TRUE(graphs.ok());
  const DevicePointer away = (*graphs)->start;
  ASSERT_TRUE(memory_->SetPresent(away, true).ok());
  PastLaunches past(kLimit);
  const Kernel kernel{.reads = in_, .writes = away};
  EXPECT_TRUE(Launch(past, kernel));
  ASSERT_TRUE(memory_->SetPresent(away, false).ok());
  ASSERT_TRUE(memory_->SetPresent(away, true).ok());
  EXPECT_EQ(*memory_->Shadow(away), 0);
  EXPECT_FALSE(Launch(past, kernel));
  EXPECT_EQ(Value(away), 1);
  EXPECT_EQ(*memory_->Shadow(away), 0xf);
}

TEST_F(PastLaunchesTest, PlacesThatLieFarAndWideAreNotKept) {
  constexpr std::uint64_t kApart = 64, kPlaces = 20'000;
  const auto wide = memory_->Allocate(kApart * kPlaces, AllocationKind::kDevice);
  ASSERT_TRUE(wide.ok());
  PastLaunches past(std::uint64_t{1} << 30);
  const PastLaunches::Key key{1, {1, 1, 1}, {1, 1, 1}, 0, false, {}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(past.Repeat(key, *memory_, false), nullptr);
    past.BeforeRun(key, *memory_);
    AccessMap touched;
    for (std::uint64_t at = 0; at < kPlaces; ++at)
      touched.Find(**wide)->Mark(AccessMap::kWritten, (*wide)->start + at * kApart, 4);
    past.AfterRun(key, *memory_, touched.Touched(), kLong, EndsWell);
  }
  EXPECT_EQ(past.bytes(), 0u);
}

TEST_F(PastLaunchesTest, ShortLaunchesFailedOnesAndLargeCopiesRunEveryTime) {
  PastLaunches past(kLimit), small(4);
  Kernel fails = AddOne();
  fails.shown.outcome.error = CudaError::kLaunchFailure;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Launch(past, AddOne(), /*seconds=*/1e-4));
    EXPECT_TRUE(Launch(past, fails, kLong, /*id=*/2));
    EXPECT_TRUE(Launch(small, AddOne()));
  }
  EXPECT_EQ(past.bytes(), 0u);
  EXPECT_EQ(small.bytes(), 0u);
}

TEST_F(PastLaunchesTest, WhoNeverFindsTheSameDataKeepsNoCopies) {
  PastLaunches past(kLimit);
  for (int i = 0; i < 100; ++i) {
    Store(in_, i);
    EXPECT_TRUE(Launch(past, AddOne()));
  }
  EXPECT_EQ(past.bytes(), 0u);
}

TEST_F(PastLaunchesTest, CopiesMakeWayWhenTheirLaunchNoLongerOccurs) {
  PastLaunches one(kLimit);
  EXPECT_TRUE(Launch(one, AddOne()));
  PastLaunches past(one.bytes());
  EXPECT_TRUE(Launch(past, AddOne(), kLong, 1));
  EXPECT_TRUE(Launch(past, AddOne(), kLong, 2));
  EXPECT_FALSE(Launch(past, AddOne(), kLong, 1));
  for (int i = 0; i < 100; ++i) Launch(past, AddOne(), kLong, 2);
  EXPECT_FALSE(Launch(past, AddOne(), kLong, 2));
  EXPECT_EQ(past.bytes(), one.bytes());
}

TEST_F(PastLaunchesTest, ACopyOfPartsOfWordsLeavesTheOthersAlone) {
  const ByteRanges ranges{{in_ + 1, in_ + 2}, {in_ + 7, in_ + 17}};
  const auto is_same = [&](const RangeCopy& copy) {
    std::uint64_t budget = kBytes;
    return copy.IsAsIn(*memory_, ranges, budget);
  };
  memory_->SetInitialised(in_ + 8, 2, false);
  const RangeCopy copy(ranges, *memory_);
  EXPECT_TRUE(is_same(copy));
  std::memset(HostPointer(in_), 5, kBytes);
  EXPECT_FALSE(is_same(copy));
  memory_->SetInitialised(in_, kBytes, false);
  copy.Restore(*memory_, ranges);
  EXPECT_TRUE(is_same(copy));
  EXPECT_EQ(*memory_->Shadow(in_), 1u << 1);
  EXPECT_EQ(*memory_->Shadow(in_ + 4), 1u << 3);
  EXPECT_EQ(*memory_->Shadow(in_ + 8), 0xc);
  EXPECT_EQ(*memory_->Shadow(in_ + 16), 1u);
  EXPECT_EQ(*memory_->Shadow(in_ + 20), 0u);
  EXPECT_EQ(static_cast<int>(*HostPointer(in_ + 1)), 0);
  EXPECT_EQ(static_cast<int>(*HostPointer(in_ + 2)), 5);
  std::uint64_t budget = 5;
  EXPECT_FALSE(copy.IsAsIn(*memory_, ranges, budget));
}

// --- On a device. ----------------------------------------------------------------------------------------

/// Adds its own number to the first element of A, and stores that in B.
constexpr const char* kAddToFirst =
    "ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, %r30; st.global.u32 [%rd4], %r4;";

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
  const auto repeated = AfterLaunches(kAddToFirst, 6, true);
  const std::vector<LaunchRecord> records = device_->TakeLaunches();
  EXPECT_EQ(repeated, AfterLaunches(kAddToFirst, 6, false));
  const std::vector<LaunchRecord> ran = device_->TakeLaunches();
  ASSERT_EQ(records.size(), 6u);
  ASSERT_EQ(ran.size(), 6u);
  EXPECT_EQ(records[5].totals.warp_instructions, ran[5].totals.warp_instructions);
  EXPECT_EQ(records[5].totals.global_load_bytes, ran[5].totals.global_load_bytes);
}

TEST_F(RepeatedKernelsTest, CopiesAndFillsAreNoticed) {
  AfterLaunches(kAddToFirst, 2, true);
  const auto last_of_next = [&] {
    EXPECT_TRUE(device_->Launch(Request(2, 32)).ok());
    return Read(b_, 64)[63];
  };
  Write(a_, {10});
  EXPECT_EQ(last_of_next(), 73u);
  EXPECT_TRUE(device_->CopyWithin(a_, b_ + 4, 4, 0).ok());
  EXPECT_EQ(last_of_next(), 74u);
  EXPECT_TRUE(device_->Fill(a_, 0, 4, 0).ok());
  EXPECT_EQ(last_of_next(), 63u);
  EXPECT_TRUE(device_->Fill(b_, 0, 256, 0).ok());
  EXPECT_EQ(last_of_next(), 63u);
  EXPECT_TRUE(device_->TakeFindings().empty());
  EXPECT_TRUE(device_->MarkUninitialised(a_, 4).ok());
  last_of_next();
  EXPECT_FALSE(device_->TakeFindings().empty());
}

TEST_F(RepeatedKernelsTest, KernelsThatWaitAreRepeatedToo) {
  const std::string body =
      "AGAIN: ld.volatile.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0; @%p2 bra AGAIN;";
  EXPECT_EQ(AfterLaunches(body + kAddToFirst, 4, true), AfterLaunches(body + kAddToFirst, 4, false));
}

TEST_F(PastLaunchesTest, WhatAnotherCardHasWrittenMeanwhileIsRead) {
  GlobalMemory peer(std::uint64_t{1} << 24, space_);
  const auto region = peer.Allocate(kBytes, AllocationKind::kDevice);
  ASSERT_TRUE(region.ok());
  const DevicePointer there = (*region)->start;
  peer.SetInitialised(there, kBytes, true);
  EXPECT_EQ(memory_->Find(there), nullptr);
  EXPECT_TRUE(memory_->SetPeerAccess(1, true));
  EXPECT_FALSE(memory_->SetPeerAccess(1, true));
  PastLaunches past(kLimit);
  const Kernel kernel{.reads = there, .writes = out_};
  EXPECT_TRUE(Launch(past, kernel));
  EXPECT_FALSE(Launch(past, kernel));
  int value = 7;
  std::memcpy(HostPointer(there), &value, sizeof value);
  peer.NoteWrite(there);
  EXPECT_TRUE(Launch(past, kernel));
  EXPECT_EQ(Value(out_), 8);
  value = 9;
  std::memcpy(HostPointer(there), &value, sizeof value);
  peer.NoteWriteEverywhere();
  EXPECT_TRUE(Launch(past, kernel));
  EXPECT_EQ(Value(out_), 10);
  EXPECT_TRUE(memory_->SetPeerAccess(1, false));
  EXPECT_EQ(memory_->Find(there), nullptr);
}

TEST_F(PastLaunchesTest, AtomicsReadAndWrite) {
  AccessMap touched;
  AccessMap::Array& array = *touched.Find(*memory_->Find(in_));
  array.Mark(AccessMap::kRead, in_ + 2, 3);
  array.MarkWord(AccessMap::kWritten, 0, 0xff00);
  array.Mark(AccessMap::kStronglyWritten, in_ + 40, 4);
  const auto arrays = touched.Touched();
  ASSERT_TRUE(arrays);
  ASSERT_EQ(arrays->size(), 1u);
  EXPECT_EQ(arrays->front().read, (ByteRanges{{in_ + 2, in_ + 5}, {in_ + 40, in_ + 44}}));
  EXPECT_EQ(arrays->front().written, (ByteRanges{{in_ + 8, in_ + 16}, {in_ + 40, in_ + 44}}));
}

}  // namespace
}  // namespace warplings::vgpu
