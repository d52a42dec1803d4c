// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: reads of global memory that nobody has written.
#pragma once

#include <atomic>
#include <cstring>

#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/machine/pattern_moves.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Lanes that lie side by side, in whole words: their shadow bytes do so as well.
inline bool LiesInRuns(const WarpAccess& access) {
  if (!access.pattern || access.pattern->shape != AccessPattern::Shape::kSideBySide) return false;
  if (access.bytes >= 4) return true;
  u64 starts = 0;
  ForEachRun(*access.pattern, [&](u32 lane, auto) { starts |= access.address[lane]; });
  return !(starts & 3);
}
inline void MarkRuns(const WarpAccess& access, const GlobalMemory& memory) {
  ForEachRun(*access.pattern, [&](u32 lane, auto count) {
    std::memset(memory.Shadow(access.address[lane]), 0xf, count * access.bytes / 4);
  });
}
inline bool AreRunsWritten(const WarpAccess& access, const GlobalMemory& memory) {
  u64 different = 0;
  ForEachRun(*access.pattern, [&](u32 lane, auto count) {
    const u8* words = memory.Shadow(access.address[lane]);
    const u32 length = count * access.bytes / 4;
    // 8 or 16 lanes of less than a word.
    for (u32 at = 0; length < sizeof(u64) && at < length; ++at) different |= words[at] ^ 0xfu;
    for (u32 at = 0; at + sizeof(u64) <= length; at += sizeof(u64)) {
      u64 eight;
      std::memcpy(&eight, words + at, sizeof eight);
      different |= eight ^ 0x0f0f'0f0f'0f0f'0f0f;
    }
  });
  return !different;
}
/// Of lanes of which 8 or 16 each are at one address.
inline bool IsEachRunWritten(const WarpAccess& access, const GlobalMemory& memory) {
  u32 different = 0;
  ForEachRun(*access.pattern, [&](u32 lane, auto) {
    const u8* words = memory.Shadow(access.address[lane]);
    for (u32 at = 0; at < access.bytes / 4; ++at) different |= words[at] ^ 0xfu;
  });
  return !different;
}

/// False where it takes a look at each lane to know.
inline bool IsKnownWritten(const WarpAccess& access, const GlobalMemory& memory) {
  if (LiesInRuns(access)) return AreRunsWritten(access, memory);
  return access.pattern && access.pattern->shape == AccessPattern::Shape::kAtOneAddress &&
         access.bytes >= 4 && IsEachRunWritten(access, memory);
}

/// Of a load that may be of a struct. Between its members lies padding, which nobody writes; but each 8
/// bytes, the largest alignment that a member needs, have a byte of a member. So of each 8 bytes one has to
/// be written, and of a smaller load one in all.
inline bool IsAnyUnitUnwritten(const u8* word, u32 bytes, u64 address) {
  if (bytes < 4) return !(*word & (((1u << bytes) - 1) << (address & 3)));
  for (u32 at = 0; at < bytes / 4; at += 2) {
    if (!word[at] && (bytes == 4 || !word[at + 1])) return true;
  }
  return false;
}

class GlobalChecks final : public Observer {
 public:
  Mask OnGlobal(const WarpAccess& access) override {
    if (access.unused) [[unlikely]]
      return OnGlobal(OfLanesThatUse(access)) | (access.mask & access.unused);
    const GlobalMemory& memory = *access.warp->block->grid->memory;
    if (access.access == Access::kRead && IsKnownWritten(access, memory)) return access.mask;
    if (access.access == Access::kWrite && LiesInRuns(access)) {
      MarkRuns(access, memory);
      return access.mask;
    }
    ForEachLane(access.mask, [&](int lane) {
      const u64 address = access.address[lane];
      u8* word = memory.Shadow(address);
      if (access.inst->may_read_padding) {
        if (IsAnyUnitUnwritten(word, access.bytes, address)) Report(access, lane);
        return;
      }
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
    if (LiesInRuns(access)) {
      MarkRuns(access, memory);
      return access.mask;
    }
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
