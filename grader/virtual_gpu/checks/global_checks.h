// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: reads of global memory that nobody has written.
#pragma once

#include <atomic>

#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

class GlobalChecks final : public Observer {
 public:
  Mask OnGlobal(const WarpAccess& access) override {
    const GlobalMemory& memory = *access.warp->block->grid->memory;
    ForEachLane(access.mask, [&](int lane) {
      const u64 address = access.address[lane];
      u8* word = memory.Shadow(address);
      if (access.bytes >= 4) {
        const u32 words = access.bytes >> 2;
        for (u32 i = 0; i < words; ++i) {
          if (access.access != Access::kWrite && word[i] != 0xf) Report(access, lane);
          if (access.access != Access::kRead) word[i] = 0xf;
        }
        return;
      }
      const u8 bits = static_cast<u8>(((1u << access.bytes) - 1) << (address & 3));
      if (access.access != Access::kWrite && (*word & bits) != bits) Report(access, lane);
      // Another host thread may set its bits in the same word.
      if (access.access != Access::kRead)
        std::atomic_ref<u8>(*word).fetch_or(bits, std::memory_order_relaxed);
    });
    return access.mask;
  }

 private:
  static void Report(const WarpAccess& access, int lane) {
    access.warp->block->faults->Uninitialised(*access.warp, *access.inst, lane, MemorySpace::kGlobal,
                                              access.address[lane], access.bytes);
  }
};

/// Without checks, writes still have to be remembered: a later run may have them on.
class GlobalWrites final : public Observer {
 public:
  Mask OnGlobal(const WarpAccess& access) override {
    if (access.access == Access::kRead) return access.mask;
    const GlobalMemory& memory = *access.warp->block->grid->memory;
    ForEachLane(access.mask, [&](int lane) {
      const u64 address = access.address[lane];
      u8* word = memory.Shadow(address);
      if (access.bytes >= 4) {
        for (u32 i = 0; i < access.bytes >> 2; ++i) word[i] = 0xf;
      } else {
        const u8 bits = static_cast<u8>(((1u << access.bytes) - 1) << (address & 3));
        std::atomic_ref<u8>(*word).fetch_or(bits, std::memory_order_relaxed);
      }
    });
    return access.mask;
  }
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
