// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "grader/base/result.h"
#include "grader/device/device.h"
#include "grader/virtual_gpu/memory/address_space.h"

namespace warplings::vgpu {

/// The pages of an allocation in global memory, or of a module's variable. Whose allocation it is, the ledger
/// knows (grader/device/model/ledger.h).
struct Region {
  DevicePointer start = 0;
  std::uint64_t bytes = 0;
  std::string label;  ///< "M"; empty for a student's own allocations.
  bool is_variable = false;
  bool is_constant = false;
  bool is_on_heap = false;    ///< Allocated by malloc in a kernel, …
  ClientId heap_owner = 0;    ///< … which this client launched.
  bool is_shared = false;     ///< Managed or pinned: the host and all cards can access it.
  bool is_absent = false;     ///< Only its addresses are kept.
  bool is_for_peers = false;  ///< Cards with peer access to this one can access it.
  bool is_foreign = false;    ///< Memory of another card.
  int shared_fd = -1;         ///< Of this card's shared memory.
  std::uint64_t mapped_bytes = 0;
  /// Size of the reserved address range, including the gap after the region.
  std::uint64_t reserved_bytes = 0;
  /// Changes whenever something writes the region, or may have written it, also what its shadow says. So it
  /// had the same bytes whenever it had the same number. 0: the host can write it unseen.
  std::uint64_t content = 0;
  bool is_older = false;  ///< It was there when the observation began.
};

/// One card's global memory, in the address space that the cards of this process share. After each region
/// there is a gap of unused addresses, so that an overflow does not hit another region. Managed and pinned
/// memory of one card is visible to every card, other memory to those with peer access.
///
/// A freed region's memory and shadows are returned to the system at once. Its addresses stay in quarantine
/// for a while, so that an access after the free can be recognised as such; then they are reused.
class GlobalMemory {
 public:
  static constexpr std::uint64_t kReservedBytes = AddressSpace::kReservedBytes;
  static constexpr std::uint64_t kLeastHeapBytes = 128;

  /// `limit_bytes`: maximum total size of the regions; exceeding it is cudaErrorMemoryAllocation.
  GlobalMemory(std::uint64_t limit_bytes, std::shared_ptr<AddressSpace> space);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  CudaResult<const Region*> Allocate(std::uint64_t bytes, AllocationKind kind);
  CudaStatus Free(DevicePointer address);
  /// Keeps only the addresses of an allocation, or puts memory behind them again that is as fresh. Nothing is
  /// done where that is so already.
  CudaStatus SetPresent(DevicePointer address, bool present);
  /// Adds a module's .global or .const variable. Its memory is zero and counts as initialised.
  CudaResult<DevicePointer> AddVariable(std::string name, std::uint64_t bytes, std::uint32_t alignment,
                                        bool is_constant, bool is_managed);
  /// Frees a variable, as Free does an allocation. Nothing is done where there is none at this address.
  void RemoveVariable(DevicePointer address);

  /// malloc and free in a kernel. The total is limited to the size of a card's heap (8 MiB). A smaller piece
  /// counts as kLeastHeapBytes, because each piece takes pages of memory and shadow of its own.
  CudaResult<const Region*> AllocateOnHeap(ClientId client, std::uint64_t bytes);
  CudaStatus FreeOnHeap(DevicePointer address);
  void FreeHeapOf(ClientId client);

  /// The region that holds `address`, or null.
  const Region* Find(DevicePointer address) const;
  Region* FindMutable(DevicePointer address);
  /// The region whose end or start is nearest to `address`, which an out-of-bounds access most likely
  /// overran.
  const Region* FindNearest(DevicePointer address) const;
  /// The freed region that contained `address`, if it is still in quarantine, or an absent one; also one of a
  /// card that this one has peer access to.
  const Region* FindFreed(DevicePointer address) const;
  template <class Visitor>
  void ForEachRegion(Visitor visit) const {
    for (const auto& [start, region] : regions_) visit(region);
  }
  /// What is allocated from now on is newer than all that is there.
  void BeginObservation();
  /// True when [address, address + bytes) lies within one region.
  bool Contains(DevicePointer address, std::uint64_t bytes) const;
  /// The same for the memory of any card of this process, which copies may access.
  bool AnyCardContains(DevicePointer address, std::uint64_t bytes) const;
  /// Ordinal of the other card of this process in whose memory the address lies, if any.
  std::optional<std::size_t> OtherCardWith(DevicePointer address) const;

  /// Lets this card's kernels access the other card's memory, or no longer. False: so it was already.
  bool SetPeerAccess(std::size_t card, bool on);
  bool HasPeerAccess(std::size_t card) const;
  /// Ends it between this card and all others, both ways.
  void EndPeerAccess();

  /// The shadow byte of the word that contains `address`; only valid inside regions.
  std::uint8_t* Shadow(DevicePointer address) const { return shadow_ + ((address - base_) >> 2); }
  void SetInitialised(DevicePointer address, std::uint64_t bytes, bool initialised);

  /// Changes Region::content of the region that holds `address`, on whichever card it is.
  void NoteWrite(DevicePointer address);
  /// The same for all regions that this card's kernels can access.
  void NoteWriteEverywhere();

  std::uint64_t used_bytes() const { return used_bytes_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }

 private:
  CudaResult<Region*> Add(Region wanted, std::uint32_t alignment);
  void FillFresh(const Region& region);
  void Remove(std::map<DevicePointer, Region>::iterator entry);
  /// Remove() without giving memory back.
  void Forget(std::map<DevicePointer, Region>::iterator entry);
  /// Leaves a small region as fresh memory is, but with its pages, for the next one at this address. False:
  /// nothing was done.
  bool Wipe(const Region& region);
  void GiveBackWarmPieces();
  /// Gives a region separate memory that a client can map, too; false if the system has no room for it.
  bool Share(Region& region);
  /// Returns memory and shadows to the system, but keeps the addresses.
  void GiveBack(Region& region);
  void Quarantine(std::map<DevicePointer, Region>::node_type freed);
  void EndOldestQuarantine();
  const Region* FindFreedHere(DevicePointer address) const;
  void ShowTo(GlobalMemory& other, const Region& region) const;
  void ShowToOthers(const Region& region);
  void HideFromOthers(const Region& region);

  std::uint64_t limit_bytes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t heap_bytes_ = 0;
  std::uint64_t last_content_ = 0;
  std::shared_ptr<AddressSpace> space_;
  std::set<const GlobalMemory*> peers_;  ///< The cards whose memory this one's kernels can access.
  DevicePointer base_ = 0;               ///< That of the address space.
  std::uint8_t* shadow_ = nullptr;       ///< Likewise.
  std::map<DevicePointer, Region> regions_;
  std::set<DevicePointer> warm_;  ///< Starts of regions that have their pages though they may be free.
  std::map<DevicePointer, Region> absent_;
  /// Regions in quarantine by address, and their addresses, oldest first.
  std::map<DevicePointer, Region> freed_;
  std::deque<DevicePointer> freed_order_;
  std::uint64_t freed_bytes_ = 0;
};

/// A host pointer to device memory. The caller must have checked the bounds.
inline std::byte* HostPointer(DevicePointer address) {
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace warplings::vgpu
