// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/registered_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <thread>

namespace warplings::runtime {
namespace {

constexpr std::uint64_t kPage = 4096;

/// Whole pages that the device shares.
struct Region {
  std::uint64_t bytes = 0;
  DevicePointer address = 0;  ///< The device's.
  std::size_t device = 0;
  std::size_t ranges = 0;  ///< Registered ranges that touch it.
};
/// By their start in this process. The mutex of the Runtime guards them.
using Regions = std::map<std::uint64_t, Region>;

Regions& TheRegions() {
  static Regions* const regions = new Regions;
  return *regions;
}

/// The first region that ends past the address.
Regions::iterator FirstPast(std::uint64_t address) {
  Regions& regions = TheRegions();
  auto found = regions.upper_bound(address);
  if (found == regions.begin()) return found;
  const auto before = std::prev(found);
  return before->first + before->second.bytes > address ? before : found;
}

struct Pages {
  std::uint64_t begin = 0, end = 0;
};
Pages PagesOf(const void* pointer, std::size_t bytes) {
  const std::uint64_t start = ToDevice(pointer);
  return {start / kPage * kPage, (start + bytes + kPage - 1) / kPage * kPage};
}

/// Replaces pages by a mapping. Pages of the calling thread's stack must not change meanwhile: another thread
/// does it then.
template <class Replace>
bool ReplacePages(std::uint64_t begin, std::uint64_t bytes, Replace&& replace) {
  const auto frame = ToDevice(__builtin_frame_address(0));
  if (frame < begin || frame >= begin + bytes) return replace();
  bool replaced = false;
  std::thread([&] { replaced = replace(); }).join();
  return replaced;
}

/// Has pages of this process shared with the device in use.
Outcome Share(Runtime& runtime, std::uint64_t begin, std::uint64_t bytes) {
  auto allocation = runtime.device().Allocate(bytes, AllocationKind::kPinned);
  if (!allocation) return allocation.error();
  const DevicePointer address = allocation->address;
  Outcome mapped =
      runtime.Map(address, allocation->mapped_bytes, allocation->shared_fd, AllocationKind::kPinned);
  if (mapped.ok()) {
    void* const here = reinterpret_cast<void*>(begin);
    const bool replaced = ReplacePages(begin, bytes, [&] {
      std::memcpy(reinterpret_cast<void*>(address), here, bytes);
      return mmap(here, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, allocation->shared_fd, 0) ==
             here;
    });
    if (replaced) {
      TheRegions()[begin] = {bytes, address, runtime.device().device_in_use()};
      return {};
    }
    munmap(reinterpret_cast<void*>(address), allocation->mapped_bytes);
    runtime.mappings.erase(address);
    mapped = CudaError::kMemoryAllocation;
  }
  (void)runtime.device().Free(address);
  return mapped;
}

/// Ends the sharing. The device finishes its work first, which may write there. Without memory to replace
/// them, the pages stay as they are, which the program does not see.
CudaStatus EndSharing(Runtime& runtime, Regions::iterator region) {
  const auto [begin, shared] = *region;
  runtime.device().UseDevice(shared.device);
  const CudaStatus freed = runtime.device().Free(shared.address);
  if (const auto mapping = runtime.mappings.find(shared.address); mapping != runtime.mappings.end()) {
    munmap(reinterpret_cast<void*>(shared.address), mapping->second.mapped_bytes);
    runtime.mappings.erase(mapping);
  }
  void* const here = reinterpret_cast<void*>(begin);
  const std::size_t bytes = shared.bytes;
  void* own = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (own != MAP_FAILED) {
    ReplacePages(begin, bytes, [&] {
      std::memcpy(own, here, bytes);
      return mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, here) == here;
    });
  }
  TheRegions().erase(region);
  return freed;
}

/// Ends the sharing of regions that no range touches.
CudaStatus EndUnused(Runtime& runtime, const Pages& pages) {
  CudaStatus status = Unit{};
  for (auto region = FirstPast(pages.begin); region != TheRegions().end() && region->first < pages.end;) {
    const auto next = std::next(region);
    if (region->second.ranges == 0) {
      if (CudaStatus ended = EndSharing(runtime, region); !ended) status = ended;
    }
    region = next;
  }
  return status;
}

void CountRange(const Pages& pages, std::ptrdiff_t change) {
  for (auto region = FirstPast(pages.begin); region != TheRegions().end() && region->first < pages.end;
       ++region)
    region->second.ranges += static_cast<std::size_t>(change);
}

std::size_t Span(const Rectangle& shape, std::size_t pitch, std::size_t slice) {
  if (shape.width_bytes == 0 || shape.height == 0 || shape.depth == 0) return 0;
  return (shape.depth - 1) * slice + (shape.height - 1) * pitch + shape.width_bytes;
}

}  // namespace

Outcome RegisterHostMemory(Runtime& runtime, void* pointer, std::size_t bytes) {
  // Codes as seen on an H200, here and below.
  if (pointer == nullptr || bytes == 0) return CudaError::kInvalidValue;
  const std::uint64_t start = ToDevice(pointer);
  if (IsDeviceAddress(pointer) || bytes > UINT64_MAX - kPage - start) return CudaError::kInvalidValue;
  auto& ranges = runtime.registered_host;
  const auto after = ranges.lower_bound(static_cast<const std::byte*>(pointer) + bytes);
  if (after != ranges.begin()) {
    const auto& [other, its_bytes] = *std::prev(after);
    if (ToDevice(other) + its_bytes > start) return kHostMemoryAlreadyRegistered;
  }
  const Pages pages = PagesOf(pointer, bytes);
  // Fails if there is no memory at some page, and changes nothing.
  if (madvise(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, MADV_NORMAL) != 0)
    return CudaError::kInvalidValue;
  for (std::uint64_t page = pages.begin; page < pages.end;) {
    const auto next = FirstPast(page);
    if (next != TheRegions().end() && next->first <= page) {
      page = next->first + next->second.bytes;
      continue;
    }
    const std::uint64_t end = next == TheRegions().end() ? pages.end : std::min(next->first, pages.end);
    if (Outcome shared = Share(runtime, page, end - page); !shared.ok()) {
      (void)EndUnused(runtime, pages);
      return shared;
    }
    page = end;
  }
  CountRange(pages, 1);
  ranges.emplace(pointer, bytes);
  return {};
}

Outcome UnregisterHostMemory(Runtime& runtime, void* pointer) {
  const auto range = runtime.registered_host.find(pointer);
  if (range == runtime.registered_host.end()) {
    if (IsRegistered(runtime, pointer, 1)) return CudaError::kInvalidValue;
    return kHostMemoryNotRegistered;
  }
  const Pages pages = PagesOf(pointer, range->second);
  runtime.registered_host.erase(range);
  CountRange(pages, -1);
  return EndUnused(runtime, pages);
}

void ForgetRegisteredMemory(Runtime& runtime, std::size_t device) {
  // The pages stay mapped here, and are the program's alone now.
  std::erase_if(TheRegions(), [&](const auto& region) { return region.second.device == device; });
  std::erase_if(runtime.registered_host, [](const auto& range) {
    const Pages pages = PagesOf(range.first, range.second);
    for (std::uint64_t page = pages.begin; page < pages.end;) {
      const auto region = FirstPast(page);
      if (region == TheRegions().end() || region->first > page) return true;
      page = region->first + region->second.bytes;
    }
    return false;
  });
}

bool IsRegistered(Runtime& runtime, const void* pointer, std::size_t bytes) {
  const auto after = runtime.registered_host.upper_bound(pointer);
  if (after == runtime.registered_host.begin()) return false;
  const auto& [start, its_bytes] = *std::prev(after);
  const std::uint64_t offset = ToDevice(pointer) - ToDevice(start);
  return offset < its_bytes && bytes <= its_bytes - offset;
}

RegisteredPlace FindRegistered(const void* pointer) {
  const auto region = FirstPast(ToDevice(pointer));
  const std::uint64_t offset = ToDevice(pointer) - region->first;
  const Region& shared = region->second;
  return {shared.address + offset, shared.bytes - offset, shared.device};
}

bool LeavesRegistered(Runtime& runtime, const Rectangle& shape) {
  return (IsRegistered(runtime, shape.target, 1) && !ReachesTarget(runtime, shape)) ||
         (IsRegistered(runtime, shape.source, 1) && !ReachesSource(runtime, shape));
}

bool ReachesTarget(Runtime& runtime, const Rectangle& shape) {
  return IsDeviceAddress(shape.target) ||
         IsRegistered(runtime, shape.target, Span(shape, shape.target_pitch, shape.target_slice));
}

bool ReachesSource(Runtime& runtime, const Rectangle& shape) {
  return IsDeviceAddress(shape.source) ||
         IsRegistered(runtime, shape.source, Span(shape, shape.source_pitch, shape.source_slice));
}

}  // namespace warplings::runtime
