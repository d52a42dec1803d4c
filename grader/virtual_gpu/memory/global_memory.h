// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/result.h"
#include "grader/device/device.h"

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
  int shared_fd = -1;
  std::uint64_t mapped_bytes = 0;
};

/// The device's address space: one reserved range of this process' own addresses, in which device
/// address and host address are the same number, so that an access needs a bounds check but no
/// translation, and managed memory has one address everywhere.
///
/// Behind each region lies unmapped address space, so that an overflow meets nothing. A shadow with
/// one byte for every 4-byte word holds which of its bytes were written (bits 0 to 3).
class GlobalMemory {
 public:
  static constexpr DevicePointer kBase = 0x3000'0000'0000;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{1} << 40;

  /// `limit_bytes`: what all regions together may hold; more is cudaErrorMemoryAllocation.
  static Result<std::unique_ptr<GlobalMemory>> Create(std::uint64_t limit_bytes);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  CudaResult<const Region*> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind);
  CudaStatus Free(ClientId client, DevicePointer address);
  void FreeAllOf(ClientId client);
  /// A module's .global or .const variable; written by `initial` (rest zero), so initialised.
  CudaResult<DevicePointer> AddVariable(ClientId client, std::string name, std::uint64_t bytes,
                                        std::uint32_t alignment, bool is_constant, AllocationKind kind);

  /// malloc and free in a kernel.
  CudaResult<const Region*> AllocateOnHeap(ClientId client, std::uint64_t bytes);
  CudaStatus FreeOnHeap(DevicePointer address);
  std::uint64_t HeapBytes() const { return heap_bytes_; }

  /// The region that holds `address`, or null.
  const Region* Find(DevicePointer address) const;
  Region* FindMutable(DevicePointer address);
  /// The region whose end or start is nearest to `address`: what an overflow most likely left.
  const Region* FindNearest(DevicePointer address) const;
  /// The region freed last that held `address`, if nothing lives there now.
  const Region* FindFreed(DevicePointer address) const;
  template <class Visitor>
  void ForEachRegion(Visitor visit) const {
    for (const auto& [start, region] : regions_) visit(region);
  }
  /// True when [address, address + bytes) lies within one region.
  bool Contains(DevicePointer address, std::uint64_t bytes) const;

  /// The shadow byte of the word that holds `address`; valid inside regions only.
  std::uint8_t* Shadow(DevicePointer address) const { return shadow_ + ((address - kBase) >> 2); }
  void SetInitialised(DevicePointer address, std::uint64_t bytes, bool initialised);

  std::uint64_t used_bytes() const { return used_bytes_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }
  /// Changes whenever a region comes or goes: what cached lookups compare.
  std::uint64_t generation() const { return generation_; }

 private:
  explicit GlobalMemory(std::uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  CudaResult<Region*> Add(Region region, std::uint32_t alignment);
  void Remove(std::map<DevicePointer, Region>::iterator entry);

  std::uint64_t limit_bytes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t generation_ = 0;
  std::uint64_t heap_bytes_ = 0;
  DevicePointer next_ = kBase;
  std::byte* arena_ = nullptr;
  std::uint8_t* shadow_ = nullptr;
  std::map<DevicePointer, Region> regions_;
  std::vector<Region> freed_;  ///< The last few, oldest first.
};

/// A host pointer to device memory; the caller has checked the bounds.
inline std::byte* HostPointer(DevicePointer address) {
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace warplings::vgpu
