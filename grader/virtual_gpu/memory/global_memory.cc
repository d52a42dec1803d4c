// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/global_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace warplings::vgpu {
namespace {

constexpr std::uint64_t kPage = 4096;
/// cudaMalloc aligns to at least 256 bytes (CUDA C++ Programming Guide, "Device Memory Accesses").
constexpr std::uint32_t kAllocationAlignment = 256;
constexpr std::uint64_t kMinimumGap = 64 * 1024;
constexpr std::uint64_t kMaximumGap = 64 * 1024 * 1024;
constexpr std::size_t kFreedRemembered = 64;

constexpr std::uint64_t RoundUp(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

CudaFault Fault(CudaError code, std::string message) {
  return {code, std::move(message)};
}

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t limit_bytes, std::shared_ptr<AddressSpace> space)
    : limit_bytes_(limit_bytes), space_(std::move(space)), shadow_(space_->shadow()) {
  space_->memories.push_back(this);
}

GlobalMemory::~GlobalMemory() {
  std::erase(space_->memories, this);
  for (const auto& [start, region] : regions_) {
    if (region.is_foreign) continue;
    HideFromOthers(region);
    if (region.shared_fd >= 0) close(region.shared_fd);
  }
}

void GlobalMemory::ShowToOthers(const Region& region) {
  if (region.kind == AllocationKind::kDevice) return;
  for (GlobalMemory* other : space_->memories) {
    if (other == this) continue;
    Region& seen = other->regions_.emplace(region.start, region).first->second;
    seen.shared_fd = -1;
    seen.is_foreign = true;
    ++other->generation_;
  }
}

void GlobalMemory::HideFromOthers(const Region& region) {
  if (region.kind == AllocationKind::kDevice) return;
  for (GlobalMemory* other : space_->memories) {
    if (other != this && other->regions_.erase(region.start)) ++other->generation_;
  }
}

CudaResult<Region*> GlobalMemory::Add(Region region, std::uint32_t alignment) {
  if (region.bytes > limit_bytes_ - used_bytes_) {
    return Fault(CudaError::kMemoryAllocation,
                 "asked for " + std::to_string(region.bytes) + " bytes of device memory; " +
                     std::to_string(limit_bytes_ - used_bytes_) + " are free on this virtual GPU");
  }
  // Each region starts on a page of its own: regions never share one, so that protection and
  // release work by pages. The gap behind it grows with its size, so that being off by a row, a
  // plane or a factor of two still lands outside every region.
  const std::uint64_t mapped = RoundUp(std::max<std::uint64_t>(region.bytes, 1), kPage);
  const std::uint64_t gap = std::clamp(mapped, kMinimumGap, kMaximumGap);
  const auto reserved = space_->Reserve(mapped + gap, std::max<std::uint64_t>(kPage, alignment));
  if (!reserved) return Fault(CudaError::kMemoryAllocation, "the virtual GPU's address space is used up");
  const DevicePointer start = *reserved;
  region.start = start;
  region.mapped_bytes = mapped;
  void* address = reinterpret_cast<void*>(start);
  void* mapped_at = MAP_FAILED;
  if (region.kind == AllocationKind::kDevice) {
    mapped_at = mmap(address, mapped, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  } else {
    region.shared_fd = memfd_create("warplings-managed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (region.shared_fd >= 0 && ftruncate(region.shared_fd, static_cast<off_t>(mapped)) == 0) {
      // Sealed, so that a client that shrinks it cannot make this process fault.
      fcntl(region.shared_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
      mapped_at = mmap(address, mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, region.shared_fd, 0);
    }
  }
  if (mapped_at == MAP_FAILED) {
    if (region.shared_fd >= 0) close(region.shared_fd);
    return Fault(CudaError::kMemoryAllocation, "this machine has no memory left for the virtual GPU");
  }
  used_bytes_ += region.bytes;
  ++generation_;
  ShowToOthers(region);
  return &regions_.emplace(start, std::move(region)).first->second;
}

CudaResult<const Region*> GlobalMemory::Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) {
  Region region;
  region.bytes = bytes;
  region.kind = kind;
  region.client = client;
  auto added = Add(std::move(region), kAllocationAlignment);
  if (!added) return added.error();
  // Managed and pinned memory is written by the host unseen; it counts as initialised.
  if (kind != AllocationKind::kDevice) SetInitialised((*added)->start, bytes, true);
  return static_cast<const Region*>(*added);
}

CudaResult<DevicePointer> GlobalMemory::AddVariable(ClientId client, std::string name, std::uint64_t bytes,
                                                    std::uint32_t alignment, bool is_constant,
                                                    AllocationKind kind) {
  Region region;
  region.bytes = bytes;
  region.kind = kind;
  region.client = client;
  region.label = std::move(name);
  region.is_variable = true;
  region.is_constant = is_constant;
  auto added = Add(std::move(region), alignment);
  if (!added) return added.error();
  SetInitialised((*added)->start, bytes, true);
  return (*added)->start;
}

CudaResult<const Region*> GlobalMemory::AllocateOnHeap(ClientId client, std::uint64_t bytes) {
  Region region;
  region.bytes = bytes;
  region.client = client;
  region.label = "memory from malloc";
  region.is_on_heap = true;
  auto added = Add(std::move(region), kAllocationAlignment);
  if (!added) return added.error();
  heap_bytes_ += bytes;
  return static_cast<const Region*>(*added);
}

CudaStatus GlobalMemory::FreeOnHeap(DevicePointer address) {
  auto entry = regions_.find(address);
  if (entry == regions_.end() || !entry->second.is_on_heap) {
    return Fault(CudaError::kInvalidValue, FindFreed(address) ? "frees memory that was freed before"
                                                              : "frees what malloc did not return");
  }
  Remove(entry);
  return Unit{};
}

void GlobalMemory::Remove(std::map<DevicePointer, Region>::iterator entry) {
  Region& region = entry->second;
  void* address = reinterpret_cast<void*>(region.start);
  mmap(address, region.mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
       0);
  SetInitialised(region.start, region.bytes, false);
  HideFromOthers(region);
  if (region.shared_fd >= 0) close(region.shared_fd);
  region.shared_fd = -1;
  used_bytes_ -= region.bytes;
  if (region.is_on_heap) heap_bytes_ -= region.bytes;
  ++generation_;
  if (freed_.size() == kFreedRemembered) freed_.erase(freed_.begin());
  freed_.push_back(std::move(region));
  regions_.erase(entry);
}

CudaStatus GlobalMemory::Free(ClientId client, DevicePointer address) {
  auto entry = regions_.find(address);
  if (entry == regions_.end()) {
    if (FindFreed(address)) return Fault(CudaError::kInvalidValue, "this memory was freed before");
    if (Find(address)) {
      return Fault(CudaError::kInvalidValue, "this pointer lies inside an allocation, not at its start");
    }
    return Fault(CudaError::kInvalidValue, "this pointer was not returned by cudaMalloc");
  }
  const Region& region = entry->second;
  if (region.client != client || region.is_variable || region.is_on_heap || region.is_foreign) {
    return Fault(CudaError::kInvalidValue, "this memory was not allocated by the caller");
  }
  Remove(entry);
  return Unit{};
}

void GlobalMemory::FreeAllOf(ClientId client) {
  for (auto entry = regions_.begin(); entry != regions_.end();) {
    auto next = std::next(entry);
    if (entry->second.client == client && !entry->second.is_foreign) Remove(entry);
    entry = next;
  }
}

Region* GlobalMemory::FindMutable(DevicePointer address) {
  auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return nullptr;
  Region& region = std::prev(after)->second;
  return address - region.start < region.bytes ? &region : nullptr;
}

const Region* GlobalMemory::Find(DevicePointer address) const {
  return const_cast<GlobalMemory*>(this)->FindMutable(address);
}

const Region* GlobalMemory::FindNearest(DevicePointer address) const {
  auto after = regions_.upper_bound(address);
  const Region* above = after == regions_.end() ? nullptr : &after->second;
  const Region* below = after == regions_.begin() ? nullptr : &std::prev(after)->second;
  if (!above || !below) return above ? above : below;
  return above->start - address < address - (below->start + below->bytes) ? above : below;
}

const Region* GlobalMemory::FindFreed(DevicePointer address) const {
  if (Find(address)) return nullptr;
  for (auto region = freed_.rbegin(); region != freed_.rend(); ++region) {
    if (address - region->start < std::max<std::uint64_t>(region->bytes, 1)) return &*region;
  }
  return nullptr;
}

bool GlobalMemory::Contains(DevicePointer address, std::uint64_t bytes) const {
  const Region* region = Find(address);
  return region && bytes <= region->bytes - (address - region->start);
}

bool GlobalMemory::AnyCardContains(DevicePointer address, std::uint64_t bytes) const {
  return std::ranges::any_of(space_->memories,
                             [&](const GlobalMemory* memory) { return memory->Contains(address, bytes); });
}

std::optional<std::size_t> GlobalMemory::OtherCardWith(DevicePointer address) const {
  for (std::size_t ordinal = 0; ordinal < space_->memories.size(); ++ordinal) {
    const GlobalMemory* memory = space_->memories[ordinal];
    if (memory != this && memory->Find(address)) return ordinal;
  }
  return std::nullopt;
}

void GlobalMemory::SetInitialised(DevicePointer address, std::uint64_t bytes, bool initialised) {
  const std::uint64_t end = address + bytes;
  auto set_byte = [&](std::uint64_t at) {
    const auto bit = static_cast<std::uint8_t>(1u << (at & 3));
    std::uint8_t& word = *Shadow(at);
    word = static_cast<std::uint8_t>(initialised ? word | bit : word & ~bit);
  };
  for (; address < end && (address & 3); ++address) set_byte(address);
  const std::uint64_t words = (end - address) / 4;
  std::memset(Shadow(address), initialised ? 0xf : 0, words);
  for (address += words * 4; address < end; ++address) set_byte(address);
}

}  // namespace warplings::vgpu
