// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/address_space.h"

#include <sys/mman.h>

namespace warplings::vgpu {

Result<std::shared_ptr<AddressSpace>> AddressSpace::Create() {
  std::shared_ptr<AddressSpace> space(new AddressSpace);
  void* arena = mmap(reinterpret_cast<void*>(kBase), kReservedBytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (arena != reinterpret_cast<void*>(kBase)) {
    if (arena != MAP_FAILED) munmap(arena, kReservedBytes);
    return GraderError("The virtual GPU cannot reserve its address space (1 TiB, not memory).",
                       "Check 'ulimit -v': it must be unlimited.");
  }
  space->arena_ = static_cast<std::byte*>(arena);
  void* shadow = mmap(nullptr, kReservedBytes / 4, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shadow == MAP_FAILED) {
    return GraderError("The virtual GPU cannot reserve its shadow memory (256 GiB of addresses).",
                       "Check 'ulimit -v' and /proc/sys/vm/overcommit_memory (2 forbids it).");
  }
  space->shadow_ = static_cast<std::uint8_t*>(shadow);
  return space;
}

AddressSpace::~AddressSpace() {
  if (arena_) munmap(arena_, kReservedBytes);
  if (shadow_) munmap(shadow_, kReservedBytes / 4);
}

std::optional<DevicePointer> AddressSpace::Reserve(std::uint64_t bytes, std::uint64_t alignment) {
  const DevicePointer start = (next_ + alignment - 1) / alignment * alignment;
  const DevicePointer end = kBase + kReservedBytes;
  if (start > end || bytes > end - start) return std::nullopt;
  next_ = start + bytes;
  return start;
}

}  // namespace warplings::vgpu
