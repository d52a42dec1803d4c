// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/address_space.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <random>

#include "grader/messages/device.h"

#ifdef WARPLINGS_THREAD_SANITIZER
// Of ThreadSanitizer's run time, which has no header for it.
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* address,
                                        unsigned long bytes, const char* why);
#endif

namespace warplings::vgpu {
namespace {

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// The pages go back to the machine and are zero when they are touched again.
void DropPages(void* start, std::size_t bytes) {
  // Refused only for pages that are locked in memory: those do not go back anyway.
  if (madvise(start, bytes, MADV_DONTNEED) != 0) std::memset(start, 0, bytes);
}

/// ThreadSanitizer looks for races of the interpreter. In this memory races are the kernel's own: blocks that
/// run on two host threads store to one word because the program says so, and the race check reports that.
/// The bytes that say what is written change in one direction during a launch, from 0 to 0xf, so that none of
/// two stores is lost.
void LeaveRacesToTheRaceCheck([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) {
#ifdef WARPLINGS_THREAD_SANITIZER
  AnnotateBenignRaceSized(__FILE__, __LINE__, start, bytes, "the kernel's own race");
#endif
}

/// Null where something is mapped there already, or the system refuses.
void* ReserveAt(DevicePointer base) {
  void* const wanted = reinterpret_cast<void*>(base);
  void* const mapped =
      mmap(wanted, AddressSpace::kReservedBytes, kProtection, kAnonymous | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == wanted) return mapped;
  // Linux before 4.17 ignores MAP_FIXED_NOREPLACE and may map another address.
  if (mapped != MAP_FAILED) munmap(mapped, AddressSpace::kReservedBytes);
  return nullptr;
}

/// Multiples of a huge page among all device addresses.
DevicePointer DrawBase(std::mt19937_64& random) {
  constexpr std::uint64_t kStep = 2 << 20;
  constexpr std::uint64_t kPlaces =
      (kEndOfDeviceAddresses - kFirstDeviceAddress - AddressSpace::kReservedBytes) / kStep;
  return kFirstDeviceAddress + random() % kPlaces * kStep;
}

/// A NaN, so that who computes with it sees that; no whole number that an index or a count would be.
std::uint32_t DrawFreshWord(std::mt19937_64& random) {
  constexpr std::uint32_t kQuietNan = 0x7fc00000u, kPayloads = 0x3fffffu;
  return kQuietNan | static_cast<std::uint32_t>(1 + random() % (kPayloads - 1));
}

}  // namespace

Result<std::shared_ptr<AddressSpace>> AddressSpace::Create(std::uint64_t seed) {
  std::shared_ptr<AddressSpace> space(new AddressSpace);
  std::mt19937_64 random(seed);
  // Another place where something is mapped already: with an unlimited stack the system places libraries
  // among these addresses.
  void* arena = nullptr;
  for (int attempt = 0; attempt < 4 && arena == nullptr; ++attempt) {
    space->base_ = seed == 0 ? kUsualBase : DrawBase(random);
    arena = ReserveAt(space->base_);
  }
  if (arena == nullptr) {
    return GraderError(say::no_address_space(), say::check_ulimit_v());
  }
  space->arena_ = static_cast<std::byte*>(arena);
  if (seed != 0) space->fresh_word_ = DrawFreshWord(random);
  space->small_.Add(space->base_, kSmallZoneBytes);
  space->large_.Add(space->base_ + kSmallZoneBytes, kReservedBytes - kSmallZoneBytes);
  void* shadow = mmap(nullptr, kReservedBytes / 4, kProtection, kAnonymous, -1, 0);
  if (shadow == MAP_FAILED) {
    return GraderError(say::no_shadow_memory(), say::check_overcommit());
  }
  space->shadow_ = static_cast<std::uint8_t*>(shadow);
  LeaveRacesToTheRaceCheck(space->arena_, kReservedBytes);
  LeaveRacesToTheRaceCheck(space->shadow_, kReservedBytes / 4);
  // A kernel without huge pages refuses, and needs nothing.
  madvise(space->arena_, kSmallZoneBytes, MADV_NOHUGEPAGE);
  madvise(space->shadow_, kSmallZoneBytes / 4, MADV_NOHUGEPAGE);
  return space;
}

AddressSpace::~AddressSpace() {
  if (arena_) munmap(arena_, kReservedBytes);
  if (shadow_) munmap(shadow_, kReservedBytes / 4);
}

std::optional<DevicePointer> AddressSpace::Reserve(std::uint64_t bytes, std::uint64_t alignment) {
  return ZoneOf(bytes).Take(bytes, alignment);
}

void AddressSpace::Release(DevicePointer start, std::uint64_t bytes) {
  try {
    ZoneOf(bytes).Add(start, bytes);
  } catch (const std::bad_alloc&) {
    // Nobody gets these addresses again. Of 1 TiB that is no loss, and who frees cannot be told.
  }
}

void AddressSpace::Discard(DevicePointer start, std::uint64_t bytes) {
  bytes = (bytes + kUnit - 1) / kUnit * kUnit;
  DropPages(reinterpret_cast<void*>(start), bytes);
  DropPages(shadow_ + (start - base_) / 4, bytes / 4);
  if (on_discard) on_discard(start, bytes);
}

bool AddressSpace::MapShared(DevicePointer start, std::uint64_t bytes, int fd) {
  if (shared_mappings_ == kMaximumShared) return false;
  void* address = reinterpret_cast<void*>(start);
  if (mmap(address, bytes, kProtection, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) return false;
  ++shared_mappings_;
  return true;
}

bool AddressSpace::UnmapShared(DevicePointer start, std::uint64_t bytes) {
  void* address = reinterpret_cast<void*>(start);
  if (mmap(address, bytes, kProtection, kAnonymous | MAP_FIXED, -1, 0) == MAP_FAILED) return false;
  --shared_mappings_;
  // As its neighbours are, which makes them one mapping again.
  if (start - base_ < kSmallZoneBytes) madvise(address, bytes, MADV_NOHUGEPAGE);
  return true;
}

}  // namespace warplings::vgpu
