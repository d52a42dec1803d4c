// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "grader/base/result.h"
#include "grader/device/device.h"
#include "grader/virtual_gpu/memory/address_space.h"

namespace warplings::vgpu {

/// A live piece of global memory: an allocation, or a module's variable.
struct Region {
  DevicePointer start = 0;
  std::uint64_t bytes = 0;
  AllocationKind kind = AllocationKind::kDevice;
  ClientId client = 0;
  std::string label;  ///< "M"; empty for a student's own allocations.
  bool is_variable = false;
  bool is_constant = false;
  bool is_on_heap = false;  ///< malloc in a kernel.
  bool is_told = false;     ///< As a leak, to whoever took the findings.
  bool is_foreign = false;  ///< Managed or pinned memory of another card, which this one sees as well.
  int shared_fd = -1;
  std::uint64_t mapped_bytes = 0;
  std::uint64_t reserved_bytes = 0;  ///< Of addresses, with the gap behind the region.
};

/// One card's memory, in the address space that it shares with the other cards of this process. Behind each
/// region lie addresses that belong to none, so that an overflow meets nothing. Managed and pinned memory of
/// any card is part of every card's.
///
/// A region that is freed gives its memory and shadows back at once. Its addresses stay its own for a while,
/// in quarantine, so that who still uses them can be told what they were; then others get them.
class GlobalMemory {
 public:
  static constexpr DevicePointer kBase = AddressSpace::kBase;
  static constexpr std::uint64_t kReservedBytes = AddressSpace::kReservedBytes;
  static constexpr std::uint64_t kLeastHeapBytes = 128;

  /// `limit_bytes`: what all regions together may hold; more is cudaErrorMemoryAllocation.
  GlobalMemory(std::uint64_t limit_bytes, std::shared_ptr<AddressSpace> space);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  CudaResult<const Region*> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind);
  CudaStatus Free(ClientId client, DevicePointer address);
  void FreeAllOf(ClientId client);
  /// A module's .global or .const variable; written by `initial` (rest zero), so initialised.
  CudaResult<DevicePointer> AddVariable(ClientId client, std::string name, std::uint64_t bytes,
                                        std::uint32_t alignment, bool is_constant, AllocationKind kind);

  /// malloc and free in a kernel. All pieces together hold what the heap of a card does (8 MiB); a small one
  /// counts as kLeastHeapBytes, because so many take pages of memory and shadow of their own each.
  CudaResult<const Region*> AllocateOnHeap(ClientId client, std::uint64_t bytes);
  CudaStatus FreeOnHeap(DevicePointer address);

  /// The region that holds `address`, or null.
  const Region* Find(DevicePointer address) const;
  Region* FindMutable(DevicePointer address);
  /// The region whose end or start is nearest to `address`: what an overflow most likely left.
  const Region* FindNearest(DevicePointer address) const;
  /// The freed region that held `address`, while its addresses are in quarantine.
  const Region* FindFreed(DevicePointer address) const;
  template <class Visitor>
  void ForEachRegion(Visitor visit) const {
    for (const auto& [start, region] : regions_) visit(region);
  }
  template <class Visitor>
  void ForEachMutableRegion(Visitor visit) {
    for (auto& [start, region] : regions_) visit(region);
  }
  /// True when [address, address + bytes) lies within one region.
  bool Contains(DevicePointer address, std::uint64_t bytes) const;
  /// The same for the memory of any card of this process: what copies may name.
  bool AnyCardContains(DevicePointer address, std::uint64_t bytes) const;
  /// Ordinal of the other card of this process in whose memory the address lies, if any.
  std::optional<std::size_t> OtherCardWith(DevicePointer address) const;

  /// The shadow byte of the word that holds `address`; valid inside regions only.
  std::uint8_t* Shadow(DevicePointer address) const { return shadow_ + ((address - kBase) >> 2); }
  void SetInitialised(DevicePointer address, std::uint64_t bytes, bool initialised);

  std::uint64_t used_bytes() const { return used_bytes_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }

 private:
  CudaResult<Region*> Add(Region wanted, std::uint32_t alignment);
  void Remove(std::map<DevicePointer, Region>::iterator entry);
  /// Memory of its own that a client can map as well; false where the machine has no room for it.
  bool Share(Region& region);
  /// Gives memory and shadows back, not the addresses.
  void GiveBack(Region& region);
  void Quarantine(std::map<DevicePointer, Region>::node_type freed);
  void EndOldestQuarantine();
  void ShowToOthers(const Region& region);
  void HideFromOthers(const Region& region);

  std::uint64_t limit_bytes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t heap_bytes_ = 0;
  std::shared_ptr<AddressSpace> space_;
  std::uint8_t* shadow_ = nullptr;  ///< The address space's.
  std::map<DevicePointer, Region> regions_;
  /// In quarantine: by address, and their addresses, the oldest first.
  std::map<DevicePointer, Region> freed_;
  std::deque<DevicePointer> freed_order_;
  std::uint64_t freed_bytes_ = 0;
};

/// A host pointer to device memory; the caller has checked the bounds.
inline std::byte* HostPointer(DevicePointer address) {
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace warplings::vgpu
