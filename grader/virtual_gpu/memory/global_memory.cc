// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/global_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>

#include "grader/device/model/memory_refusals.h"
#include "grader/messages/device.h"

namespace warplings::vgpu {
namespace {

constexpr std::uint64_t kPage = 4096;
/// cudaMalloc aligns to at least 256 bytes (CUDA C++ Programming Guide, "Device Memory Accesses").
constexpr std::uint32_t kAllocationAlignment = 256;
constexpr std::uint64_t kMinimumGap = 64 * 1024;
constexpr std::uint64_t kMaximumGap = 64 * 1024 * 1024;
/// The default size of the heap for malloc in kernels (cudaLimitMallocHeapSize).
constexpr std::uint64_t kHeapBytes = std::uint64_t{8} << 20;
/// How many freed regions, and how many bytes of them, keep their addresses. Page tables stay where addresses
/// are not used again: 1 GiB costs some 20 MiB of them. The last few keep their addresses whatever their
/// size.
constexpr std::size_t kQuarantinedRegions = 1024, kAlwaysQuarantined = 4;
constexpr std::uint64_t kQuarantinedBytes = std::uint64_t{1} << 30;

/// Freed pieces of kernels' heap that keep their pages, and how large each may be. Page faults and returning
/// pages to the system took 20 times as long as all else that malloc and free in a kernel do.
constexpr std::size_t kMostWarmPieces = 4096;
constexpr std::uint64_t kWarmPieceBytes = 1024;

constexpr std::uint64_t RoundUp(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// How much of fresh memory holds AddressSpace::fresh_word. What lies behind stays zero: filling it would
/// take pages of the machine's that a program may never use.
constexpr std::uint64_t kFilledBytes = std::uint64_t{4} << 20;

CudaFault Fault(CudaError code, Message message) {
  return {code, std::move(message)};
}

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t limit_bytes, std::shared_ptr<AddressSpace> space)
    : limit_bytes_(limit_bytes), space_(std::move(space)), base_(space_->base()), shadow_(space_->shadow()) {
  space_->memories.push_back(this);
}

GlobalMemory::~GlobalMemory() {
  EndPeerAccess();
  std::erase(space_->memories, this);
  for (auto& [start, region] : regions_) {
    if (region.is_foreign) continue;
    GiveBack(region);
    space_->Release(start, region.reserved_bytes);
  }
  for (const auto& [start, region] : absent_) space_->Release(start, region.reserved_bytes);
  while (!freed_order_.empty()) EndOldestQuarantine();
}

void GlobalMemory::ShowTo(GlobalMemory& other, const Region& region) const {
  Region& seen = other.regions_.emplace(region.start, region).first->second;
  seen.shared_fd = -1;
  seen.is_foreign = true;
  if (!region.is_shared) seen.content = ++other.last_content_;  // Each card counts for itself.
}

void GlobalMemory::ShowToOthers(const Region& region) {
  for (GlobalMemory* other : space_->memories) {
    if (other == this) continue;
    if (region.is_shared || (region.is_for_peers && other->peers_.contains(this))) ShowTo(*other, region);
  }
}

void GlobalMemory::HideFromOthers(const Region& region) {
  if (!region.is_shared && !region.is_for_peers) return;
  for (GlobalMemory* other : space_->memories) {
    if (other != this) other->regions_.erase(region.start);
  }
}

CudaResult<Region*> GlobalMemory::Add(Region wanted, std::uint32_t alignment) {
  if (wanted.bytes > limit_bytes_ - used_bytes_) {
    return Fault(CudaError::kMemoryAllocation,
                 say::more_than_is_free(std::to_string(wanted.bytes), limit_bytes_ - used_bytes_));
  }
  // Made before anything is taken, so that nothing is lost where there is no memory for it.
  decltype(regions_) made;
  Region& region = made.emplace(0, std::move(wanted)).first->second;
  // Each region starts on a page of its own, so that its memory goes back by pages. The gap behind it grows
  // with its size, so that being off by a row, a plane or a factor of two still lands outside every region.
  region.mapped_bytes = RoundUp(std::max<std::uint64_t>(region.bytes, 1), kPage);
  region.reserved_bytes = region.mapped_bytes + std::clamp(region.mapped_bytes, kMinimumGap, kMaximumGap);
  auto reserved = space_->Reserve(region.reserved_bytes, std::bit_ceil(alignment));
  while (!reserved && !freed_order_.empty()) {
    EndOldestQuarantine();
    reserved = space_->Reserve(region.reserved_bytes, std::bit_ceil(alignment));
  }
  if (!reserved) return Fault(CudaError::kMemoryAllocation, say::address_space_used_up());
  region.start = *reserved;
  if (region.is_shared && !Share(region)) {
    space_->Release(region.start, region.reserved_bytes);
    return Fault(CudaError::kMemoryAllocation, say::no_room_for_shared_memory());
  }
  try {
    ShowToOthers(region);
  } catch (const std::bad_alloc&) {
    GiveBack(region);
    space_->Release(region.start, region.reserved_bytes);
    throw;
  }
  used_bytes_ += region.bytes;
  if (!region.is_shared) region.content = ++last_content_;
  auto node = made.extract(made.begin());
  node.key() = region.start;
  return &regions_.insert(std::move(node)).position->second;
}

bool GlobalMemory::Share(Region& region) {
  const int fd = memfd_create("warplings-managed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return false;
  if (ftruncate(fd, static_cast<off_t>(region.mapped_bytes)) == 0) {
    // Sealed, so that a client that shrinks it cannot make this process fault.
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    if (space_->MapShared(region.start, region.mapped_bytes, fd)) {
      region.shared_fd = fd;
      return true;
    }
  }
  close(fd);
  return false;
}

CudaResult<const Region*> GlobalMemory::Allocate(std::uint64_t bytes, AllocationKind kind) {
  Region region;
  region.bytes = bytes;
  region.is_shared = IsShared(kind);
  region.is_for_peers = kind == AllocationKind::kDevice;
  auto added = Add(std::move(region), kAllocationAlignment);
  if (!added) return added.error();
  if ((*added)->is_shared) {
    // The host writes it unseen, so that it counts as initialised.
    SetInitialised((*added)->start, bytes, true);
  } else {
    FillFresh(**added);
  }
  return static_cast<const Region*>(*added);
}

void GlobalMemory::FillFresh(const Region& region) {
  const std::uint32_t word = space_->fresh_word();
  if (word == 0) return;
  // Up to a whole word: regions have whole pages.
  const std::uint64_t words = (std::min(region.bytes, kFilledBytes) + sizeof word - 1) / sizeof word;
  std::fill_n(reinterpret_cast<std::uint32_t*>(HostPointer(region.start)), words, word);
}

CudaResult<DevicePointer> GlobalMemory::AddVariable(std::string name, std::uint64_t bytes,
                                                    std::uint32_t alignment, bool is_constant,
                                                    bool is_managed) {
  Region region;
  region.bytes = bytes;
  region.is_shared = is_managed;
  region.label = std::move(name);
  region.is_variable = true;
  region.is_constant = is_constant;
  region.is_for_peers = !is_managed && !is_constant;
  auto added = Add(std::move(region), alignment);
  if (!added) return added.error();
  SetInitialised((*added)->start, bytes, true);
  return (*added)->start;
}

void GlobalMemory::RemoveVariable(DevicePointer address) {
  const auto entry = regions_.find(address);
  if (entry == regions_.end() || !entry->second.is_variable || entry->second.is_foreign) return;
  Remove(entry);
}

CudaResult<const Region*> GlobalMemory::AllocateOnHeap(ClientId client, std::uint64_t bytes) {
  if (std::max(bytes, kLeastHeapBytes) > kHeapBytes - heap_bytes_) {
    return Fault(CudaError::kMemoryAllocation, say::heap_used_up());
  }
  Region region;
  region.bytes = bytes;
  region.label = "memory from malloc";
  region.is_on_heap = true;
  region.heap_owner = client;
  auto added = Add(std::move(region), kAllocationAlignment);
  if (!added) return added.error();
  heap_bytes_ += std::max(bytes, kLeastHeapBytes);
  FillFresh(**added);
  return static_cast<const Region*>(*added);
}

CudaStatus GlobalMemory::FreeOnHeap(DevicePointer address) {
  auto entry = regions_.find(address);
  if (entry == regions_.end() || !entry->second.is_on_heap) {
    return Fault(CudaError::kInvalidValue,
                 FindFreed(address) ? say::frees_twice() : say::frees_what_malloc_did_not_return());
  }
  if (Wipe(entry->second)) {
    Forget(entry);
  } else {
    Remove(entry);
  }
  return Unit{};
}

bool GlobalMemory::Wipe(const Region& region) {
  if (region.bytes > kWarmPieceBytes) return false;
  if (!warm_.contains(region.start)) {
    if (warm_.size() == kMostWarmPieces) return false;
    warm_.insert(region.start);
  }
  std::memset(HostPointer(region.start), 0, RoundUp(region.bytes, sizeof(std::uint32_t)));
  SetInitialised(region.start, region.bytes, false);
  if (space_->on_wipe) space_->on_wipe(region.start, region.bytes);
  return true;
}

void GlobalMemory::GiveBackWarmPieces() {
  std::erase_if(warm_, [&](DevicePointer start) {
    if (Find(start)) return false;
    space_->Discard(start, kPage);
    return true;
  });
}

void GlobalMemory::GiveBack(Region& region) {
  HideFromOthers(region);
  const bool is_shared = region.shared_fd >= 0;
  if (is_shared) close(region.shared_fd);
  region.shared_fd = -1;
  const std::uint64_t reserved = region.reserved_bytes;
  if (is_shared && !space_->UnmapShared(region.start, region.mapped_bytes)) region.reserved_bytes = 0;
  space_->Discard(region.start, reserved);
}

void GlobalMemory::Remove(std::map<DevicePointer, Region>::iterator entry) {
  GiveBack(entry->second);
  Forget(entry);
}

void GlobalMemory::Forget(std::map<DevicePointer, Region>::iterator entry) {
  const Region& region = entry->second;
  used_bytes_ -= region.bytes;
  if (region.is_on_heap) heap_bytes_ -= std::max(region.bytes, kLeastHeapBytes);
  Quarantine(regions_.extract(entry));
}

void GlobalMemory::Quarantine(std::map<DevicePointer, Region>::node_type freed) {
  const Region& region = freed.mapped();
  try {
    freed_order_.push_back(region.start);
  } catch (const std::bad_alloc&) {
    // Freeing does not fail: these addresses may be given out again earlier than others.
    space_->Release(region.start, region.reserved_bytes);
    return;
  }
  freed_bytes_ += region.bytes;
  freed_.insert(std::move(freed));
  while (freed_order_.size() > kQuarantinedRegions ||
         (freed_bytes_ > kQuarantinedBytes && freed_order_.size() > kAlwaysQuarantined)) {
    EndOldestQuarantine();
  }
}

void GlobalMemory::EndOldestQuarantine() {
  const auto oldest = freed_.find(freed_order_.front());
  freed_order_.pop_front();
  freed_bytes_ -= oldest->second.bytes;
  space_->Release(oldest->first, oldest->second.reserved_bytes);
  freed_.erase(oldest);
}

CudaStatus GlobalMemory::SetPresent(DevicePointer address, bool present) {
  auto& from = present ? absent_ : regions_;
  auto& to = present ? regions_ : absent_;
  const auto entry = from.find(address);
  if (entry == from.end()) return to.contains(address) ? CudaStatus(Unit{}) : NotAnAllocation();
  Region& region = entry->second;
  if (present) {
    if (region.bytes > limit_bytes_ - used_bytes_) {
      return Fault(CudaError::kMemoryAllocation,
                   say::more_than_is_free(std::to_string(region.bytes), limit_bytes_ - used_bytes_));
    }
    used_bytes_ += region.bytes;
    FillFresh(region);
    if (region.content != 0) region.content = ++last_content_;
  } else {
    used_bytes_ -= region.bytes;
    space_->Discard(region.start, region.reserved_bytes);
  }
  region.is_absent = !present;
  to.insert(from.extract(entry));
  return Unit{};
}

CudaStatus GlobalMemory::Free(DevicePointer address) {
  if (auto absent = absent_.extract(address)) {
    Quarantine(std::move(absent));
    return Unit{};
  }
  const auto entry = regions_.find(address);
  if (entry == regions_.end()) return NotAnAllocation();
  const Region& region = entry->second;
  if (region.is_variable || region.is_on_heap || region.is_foreign) return NotAnAllocation();
  Remove(entry);
  return Unit{};
}

void GlobalMemory::FreeHeapOf(ClientId client) {
  for (auto entry = regions_.begin(); entry != regions_.end();) {
    const auto each = entry++;
    if (each->second.is_on_heap && each->second.heap_owner == client) Remove(each);
  }
  GiveBackWarmPieces();
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
  const Region* freed = FindFreedHere(address);
  for (auto peer = peers_.begin(); freed == nullptr && peer != peers_.end(); ++peer)
    freed = (*peer)->FindFreedHere(address);
  return freed;
}

const Region* GlobalMemory::FindFreedHere(DevicePointer address) const {
  for (const auto* regions : {&freed_, &absent_}) {
    auto after = regions->upper_bound(address);
    if (after == regions->begin()) continue;
    const Region& region = std::prev(after)->second;
    if (address - region.start < std::max<std::uint64_t>(region.bytes, 1)) return &region;
  }
  return nullptr;
}

void GlobalMemory::BeginObservation() {
  for (auto& [start, region] : regions_) region.is_older = true;
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

bool GlobalMemory::SetPeerAccess(std::size_t card, bool on) {
  const GlobalMemory& peer = *space_->memories[card];
  if (!on) {
    if (peers_.erase(&peer) == 0) return false;
    std::erase_if(regions_, [&](const auto& entry) {
      if (!entry.second.is_foreign || entry.second.is_shared) return false;
      const auto there = peer.regions_.find(entry.first);
      return there != peer.regions_.end() && !there->second.is_foreign;
    });
    return true;
  }
  if (!peers_.insert(&peer).second) return false;
  try {
    for (const auto& [start, region] : peer.regions_) {
      if (region.is_for_peers && !region.is_foreign) ShowTo(*this, region);
    }
  } catch (const std::bad_alloc&) {
    SetPeerAccess(card, false);
    throw;
  }
  return true;
}

bool GlobalMemory::HasPeerAccess(std::size_t card) const {
  return peers_.contains(space_->memories[card]);
}

void GlobalMemory::EndPeerAccess() {
  for (std::size_t card = 0; card < space_->memories.size(); ++card) {
    if (space_->memories[card] == this) continue;
    SetPeerAccess(card, false);
    const auto own = std::ranges::find(space_->memories, this);
    space_->memories[card]->SetPeerAccess(static_cast<std::size_t>(own - space_->memories.begin()), false);
  }
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

void GlobalMemory::NoteWrite(DevicePointer address) {
  for (GlobalMemory* memory : space_->memories) {
    Region* region = memory->FindMutable(address);
    if (region != nullptr && region->content != 0) region->content = ++memory->last_content_;
  }
}

void GlobalMemory::NoteWriteEverywhere() {
  for (auto& [start, region] : regions_) {
    if (region.is_for_peers) {
      NoteWrite(start);
    } else if (region.content != 0) {
      region.content = ++last_content_;
    }
  }
}

}  // namespace warplings::vgpu
