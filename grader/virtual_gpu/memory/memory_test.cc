// SPDX-License-Identifier: Apache-2.0
// Tests how much of its process's resources the memory of a virtual GPU takes: pages, addresses, mappings,
// threads.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "grader/device/model/memory_refusals.h"
#include "grader/virtual_gpu/memory/race_shadow.h"
#include "tests/support/drawn.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu::memory_test {
namespace {

/// k(u32* out): each thread writes 1 to its element.
constexpr const char* kWrite = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 1;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";

/// k(u64* out): each thread takes 16 bytes of the heap a thousand times, stores into them, leaves what it
/// found there in out[], and frees them.
constexpr const char* kTakeAndFree = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 result) malloc (.param .b64 bytes);
.extern .func free (.param .b64 address);
.visible .entry k(.param .u64 k_param_0)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r2, 0;
  mov.u64 %rd4, 16;
L:
  { .param .b64 bytes; st.param.b64 [bytes], %rd4;
    .param .b64 result; call.uni (result), malloc, (bytes); ld.param.b64 %rd5, [result]; }
  st.global.u32 [%rd3], %r1;
  st.u32 [%rd5+4], %r1;
  { .param .b64 address; st.param.b64 [address], %rd5; call.uni free, (address); }
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 1000;
  @%p1 bra L;
  ret;
}
)";

/// Page faults of this process so far that needed nothing from a disk.
std::uint64_t PageFaults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt);
}

/// Memory of this process that is in the machine's, in bytes.
std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

class MemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    VirtualGpuOptions options;
    options.host_threads = 2;
    auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), options);
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(device).value();
    auto module = device_->LoadModule(0, WrapPtx(kWrite));
    ASSERT_TRUE(module.ok()) << module.error().message;
    kernel_ = device_->FindKernel(*module, "k")->id;
  }

  DevicePointer Allocate(std::uint64_t bytes, AllocationKind kind = AllocationKind::kDevice) {
    auto allocation = device_->Allocate(bytes, kind);
    if (allocation.ok()) return allocation->address;
    ADD_FAILURE() << allocation.error().message;
    return 0;
  }
  void Free(DevicePointer address) { EXPECT_TRUE(device_->Free(address).ok()); }
  void Launch(DevicePointer out, std::uint32_t blocks, std::uint32_t threads) {
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = {blocks, 1, 1};
    request.block = {threads, 1, 1};
    request.arguments = Arguments().Add(out).bytes();
    ASSERT_TRUE(device_->Launch(request).ok());
    ASSERT_TRUE(device_->SynchronizeAll().ok());
    ASSERT_EQ(device_->TakeFindings().size(), 0u);
    device_->TakeLaunches();
  }
  std::vector<std::uint32_t> Read(DevicePointer from, std::size_t words) {
    std::vector<std::uint32_t> values(words);
    EXPECT_TRUE(device_->CopyOut(std::as_writable_bytes(std::span(values)), from, 0).ok());
    return values;
  }

  std::unique_ptr<LocalDevice> device_;
  KernelId kernel_ = 0;
};

TEST_F(MemoryTest, FreedMemoryGoesBackWithItsShadows) {
  constexpr std::uint32_t kThreads = 256, kBlocks = 4096;
  constexpr std::uint64_t kBytes = std::uint64_t{kThreads} * kBlocks * 4;
  std::uint64_t before = 0;
  for (int turn = 0; turn < 12; ++turn) {
    const DevicePointer memory = Allocate(kBytes);
    Launch(memory, kBlocks, kThreads);
    Free(memory);
    if (turn == 1) before = ResidentBytes();
  }
  // The records of races alone are eight times the memory.
  EXPECT_LT(ResidentBytes(), before + 4 * kBytes);
}

/// Pages that come and go cost twenty times what malloc and free do themselves.
TEST_F(MemoryTest, SmallPiecesOfTheHeapKeepTheirPages) {
  auto module = device_->LoadModule(0, WrapPtx(kTakeAndFree));
  ASSERT_TRUE(module.ok()) << module.error().message;
  auto kernel = device_->FindKernel(*module, "k");
  ASSERT_TRUE(kernel.ok()) << kernel.error().message;
  kernel_ = kernel->id;
  const DevicePointer out = Allocate(4096);
  const std::uint64_t before = PageFaults();
  Launch(out, 1, 32);  // 32,000 pieces.
  EXPECT_LT(PageFaults(), before + 16'000);
}

TEST(GlobalMemory, ASmallPieceOfTheHeapIsFreshAgain) {
  auto space = AddressSpace::Create(0);
  ASSERT_TRUE(space.ok());
  GlobalMemory memory(std::uint64_t{1} << 30, *space);
  std::set<DevicePointer> seen;
  bool was_used_again = false;
  for (int turn = 0; turn < 5000; ++turn) {
    auto piece = memory.AllocateOnHeap(1, 17);
    ASSERT_TRUE(piece.ok());
    const DevicePointer start = (*piece)->start;
    was_used_again |= !seen.insert(start).second;
    for (DevicePointer at = start; at < start + 17; ++at) {
      ASSERT_EQ(*HostPointer(at), std::byte{0});
      ASSERT_EQ(*memory.Shadow(at), 0);
    }
    std::memset(HostPointer(start), 0xff, 17);
    memory.SetInitialised(start, 17, true);
    ASSERT_TRUE(memory.FreeOnHeap(start).ok());
  }
  EXPECT_TRUE(was_used_again);
  memory.FreeHeapOf(1);
}

TEST_F(MemoryTest, FreedAddressesAreUsedAgain) {
  // 2 TiB in all, and as much again for the gaps; there is 1 TiB of addresses.
  for (int turn = 0; turn < 32'768; ++turn) {
    const DevicePointer memory = Allocate(64 << 20);
    ASSERT_NE(memory, 0u) << turn;
    Free(memory);
  }
}

TEST_F(MemoryTest, FreedAddressesStayInQuarantineForAWhileOnly) {
  const DevicePointer freed = Allocate(100);
  Free(freed);
  EXPECT_EQ(device_->Free(freed).error().message, NotAnAllocation().message);
  int turn = 0;
  for (; turn < 10'000; ++turn) {
    const DevicePointer memory = Allocate(100);
    Free(memory);
    if (memory == freed) break;
  }
  EXPECT_GE(turn, 1000);
  EXPECT_LT(turn, 2000);
}

TEST_F(MemoryTest, MemoryAtUsedAddressesIsZero) {
  std::set<DevicePointer> had;
  bool had_again = false;
  for (int turn = 0; turn < 1500 && !had_again; ++turn) {
    const DevicePointer memory = Allocate(128);
    had_again = !had.insert(memory).second;
    EXPECT_EQ(Read(memory, 32), std::vector<std::uint32_t>(32, 0)) << turn;
    ASSERT_TRUE(device_->Fill(memory, 0xab, 128, 0).ok());
    Free(memory);
  }
  EXPECT_TRUE(had_again);
}

TEST_F(MemoryTest, SharedMemoryThatIsFreedIsNobodysAnyMore) {
  std::set<DevicePointer> had;
  bool had_again = false;
  for (int turn = 0; turn < 3000; ++turn) {
    const bool is_shared = turn % 2 == 0;
    const DevicePointer memory =
        Allocate(128, is_shared ? AllocationKind::kManaged : AllocationKind::kDevice);
    had_again = had_again || !had.insert(memory).second;
    ASSERT_EQ(Read(memory, 32), std::vector<std::uint32_t>(32, 0)) << turn;
    ASSERT_TRUE(device_->Fill(memory, 0xab, 128, 0).ok());
    Free(memory);
  }
  EXPECT_TRUE(had_again);
}

TEST_F(MemoryTest, AsManySmallAllocationsAsAClientMayHave) {
  constexpr std::size_t kCount = 1 << 16;  // protocol::ClientLimits
  std::vector<DevicePointer> memory;
  for (std::size_t i = 0; i < kCount; ++i) {
    memory.push_back(Allocate(1));
    ASSERT_NE(memory.back(), 0u) << i;
  }
  // Host threads can still be made, for which the process needs mappings.
  const DevicePointer out = Allocate(64 * 32 * 4);
  Launch(out, 64, 32);
  EXPECT_EQ(Read(out, 64 * 32), std::vector<std::uint32_t>(64 * 32, 1));
  for (DevicePointer address : memory) Free(address);
}

TEST_F(MemoryTest, WithoutFurtherThreadsAKernelRunsOnOne) {
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  // No stack of this size fits into the addresses of a process.
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 47), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  const DevicePointer out = Allocate(64 * 32 * 4);
  Launch(out, 64, 32);
  EXPECT_EQ(pthread_setattr_default_np(&usual), 0);
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&usual);
  EXPECT_EQ(Read(out, 64 * 32), std::vector<std::uint32_t>(64 * 32, 1));
}

TEST_F(MemoryTest, ALongRunHoldsNoMoreThanAShortOne) {
  RUN_ONE_IN(3);
  constexpr int kTurns = 100'000;
  std::mt19937 random(1);
  std::vector<DevicePointer> live;
  std::uint64_t after_1000 = 0;
  for (int turn = 1; turn <= kTurns; ++turn) {
    if (live.size() < 64 && (live.size() < 16 || random() % 2)) {
      const std::uint64_t bytes = 128 + random() % (64 << 10);
      live.push_back(Allocate(bytes, random() % 50 ? AllocationKind::kDevice : AllocationKind::kManaged));
      ASSERT_TRUE(device_->Fill(live.back(), 1, bytes, 0).ok());
    } else if (random() % 4) {
      std::swap(live[random() % live.size()], live.back());
      Free(live.back());
      live.pop_back();
    } else {
      Launch(live[random() % live.size()], 1, 32);
    }
    if (turn == 1000) after_1000 = ResidentBytes();
  }
#ifdef __SANITIZE_ADDRESS__
  constexpr double kQuarantine = 64 << 20;  // tests/sanitize; it is not full after 1,000 turns.
#else
  constexpr double kQuarantine = 0;
#endif
  EXPECT_LE(static_cast<double>(ResidentBytes()), 1.2 * static_cast<double>(after_1000) + kQuarantine);
}

/// Where memory is, and what it holds before it is written.
struct Place {
  DevicePointer small = 0, large = 0;
  std::uint32_t fresh = 0;
};

/// Of a device that is made with this seed. A kernel finds its memory there.
Place PlaceOf(std::uint64_t seed) {
  constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;
  Place place;
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), {.memory_seed = seed, .host_threads = 2});
  EXPECT_TRUE(device.ok());
  if (!device) return place;
  place.small = (*device)->Allocate(130, AllocationKind::kDevice)->address;
  place.large = (*device)->Allocate(kLarge, AllocationKind::kDevice)->address;
  std::array<std::uint32_t, 32> words{};
  auto bytes = std::as_writable_bytes(std::span(words));
  EXPECT_TRUE((*device)->CopyOut(bytes, place.small, 0).ok());
  place.fresh = words[0];
  EXPECT_TRUE(std::ranges::all_of(words, [&](std::uint32_t word) { return word == place.fresh; }));

  auto kernel = (*device)->FindKernel(*(*device)->LoadModule(0, WrapPtx(kWrite)), "k");
  const LaunchRequest launch{.kernel = kernel->id,
                             .grid = {1, 1, 1},
                             .block = {32, 1, 1},
                             .arguments = Arguments().Add(place.small).bytes()};
  EXPECT_TRUE((*device)->Launch(launch).ok());
  EXPECT_TRUE((*device)->CopyOut(bytes, place.small, 0).ok());
  EXPECT_TRUE(std::ranges::all_of(words, [](std::uint32_t word) { return word == 1; }));
  EXPECT_TRUE((*device)->TakeFindings().empty());
  return place;
}

TEST(MemorySeed, DecidesAddressesAndWhatFreshMemoryHolds) {
  constexpr std::uint64_t kSeeds = 20;
  std::set<DevicePointer> small, large;
  std::set<std::uint32_t> fresh;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Place place = PlaceOf(seed);
    for (const DevicePointer address : {place.small, place.large}) {
      EXPECT_EQ(address % 256, 0u);
      EXPECT_GE(address, kFirstDeviceAddress);
      EXPECT_LT(address, kEndOfDeviceAddresses);
    }
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(place.fresh)));
    small.insert(place.small);
    large.insert(place.large);
    fresh.insert(place.fresh);
  }
  EXPECT_EQ(small.size(), kSeeds);
  EXPECT_EQ(large.size(), kSeeds);
  EXPECT_EQ(fresh.size(), kSeeds);
  const Place first = PlaceOf(5), again = PlaceOf(5);
  EXPECT_EQ(first.small, again.small);
  EXPECT_EQ(first.large, again.large);
  EXPECT_EQ(first.fresh, again.fresh);
  EXPECT_EQ(PlaceOf(0).fresh, 0u);
}

TEST(RaceShadow, TheFirstReadIsTheLeastOfAGranulesAndItsSegments) {
  constexpr DevicePointer kBase = AddressSpace::kUsualBase;
  auto created = RaceShadow::Create(kBase);
  ASSERT_TRUE(created.ok());
  RaceShadow& shadow = **created;
  shadow.StartLaunch(4, /*store_bytes=*/4, /*in_turns=*/false);
  const DevicePointer granule = kBase + 32 + 12;  // The fourth of the second segment.
  EXPECT_FALSE(shadow.IsNow(shadow.FirstRead(granule)));
  shadow.Enter(shadow.SegmentAt(granule).first_read, shadow.First(2, 7, 64), RaceShadow::kMany);
  EXPECT_EQ(shadow.FirstRead(granule), shadow.First(2, 7, 67)) << "the run's fourth lane";
  EXPECT_FALSE(shadow.IsNow(shadow.FirstRead(kBase + 28))) << "of the segment before";
  shadow.Enter(shadow.At(granule).first_read, shadow.First(2, 7, 3), RaceShadow::kMany);
  EXPECT_EQ(shadow.FirstRead(granule), shadow.First(2, 7, 3)) << "one block";
  shadow.Enter(shadow.At(granule).first_read, shadow.First(1, 9, 5), RaceShadow::kMany);
  EXPECT_EQ(shadow.FirstRead(granule), shadow.First(1, 9, 5) | RaceShadow::kMany);

  shadow.NoteWritten(shadow.SegmentAt(granule));
  EXPECT_TRUE(shadow.IsWritten(shadow.SegmentAt(kBase + 32)));
  shadow.EndLaunch();
  shadow.StartLaunch(4, 4, false);
  EXPECT_FALSE(shadow.IsWritten(shadow.SegmentAt(granule)));
  EXPECT_FALSE(shadow.IsNow(shadow.FirstRead(granule)));
}

TEST(RaceShadow, WhatAKernelFreesTakesNoRecordsOfOtherMemoryAlong) {
  constexpr DevicePointer kBase = AddressSpace::kUsualBase;
  auto created = RaceShadow::Create(kBase);
  ASSERT_TRUE(created.ok());
  RaceShadow& shadow = **created;
  const DevicePointer freed = kBase + (256 << 10), other = kBase + (64 << 10);
  shadow.StartLaunch(1, /*store_bytes=*/4, /*in_turns=*/true);
  shadow.At(freed).first_write = shadow.First(0, 1, 2);
  RaceShadow::Records* const old = &shadow.At(freed);
  shadow.EndLaunch();
  shadow.StartLaunch(1, /*store_bytes=*/1, /*in_turns=*/true);
  shadow.At(freed).first_write = shadow.First(0, 1, 2);
  shadow.At(other).first_write = shadow.First(0, 1, 2);
  ASSERT_EQ(&shadow.At(other), old);  // The two launches' records of different memory lie at one place.

  shadow.Discard(freed, 64 << 10);
  EXPECT_FALSE(shadow.IsNow(shadow.At(freed).first_write));
  EXPECT_TRUE(shadow.IsNow(shadow.At(other).first_write));

  shadow.EndLaunch();
  shadow.StartLaunch(1, 4, true);
  EXPECT_EQ(shadow.At(freed).first_write, 0u);
}

}  // namespace
}  // namespace warplings::vgpu::memory_test
