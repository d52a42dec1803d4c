// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: local memory, that is arrays of a thread that are not in registers.
#pragma once

#include <algorithm>
#include <vector>

#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// For each thread and each 4-byte word of its local memory a byte: which of the word's bytes were written
/// (bits 0 to 3) and which belong to no variable of a function that the thread is in (bits 4 to 7).
class LocalChecks final : public Observer {
 public:
  /// Code of -G copies objects member by member, also those that nobody has set, as empty classes and
  /// padding: what it reads says nothing.
  explicit LocalChecks(const Program& program)
      : words_((program.local_bytes + 3) / 4), reads_count_(!program.is_debug) {}

  void OnBlockStart(BlockContext& block) override {
    shadow_.assign(block.warps.size() * kWarpSize * words_, kOutside);
    for (const WarpContext& warp : block.warps) {
      OnFrameOpened(warp, block.grid->program->kernel, 0, kAllLanes);
    }
  }

  void OnFrameOpened(const WarpContext& warp, const FunctionCode& function, u32 base, Mask lanes) override {
    if (function.locals.empty()) return;
    ForEachLane(lanes, [&](int lane) {
      u8* words = Of(warp, lane);
      for (const LocalObject& object : function.locals) {
        for (u32 at = base + object.offset; at < base + object.offset + object.bytes; ++at) {
          words[at >> 2] &= static_cast<u8>(~(0x11u << (at & 3)));
        }
      }
    });
  }
  /// What a pointer to it still reaches is no variable any more.
  void OnFrameClosed(const WarpContext& warp, const FunctionCode& function, u32 base, Mask lanes) override {
    if (function.locals.empty()) return;
    ForEachLane(lanes, [&](int lane) {
      u8* words = Of(warp, lane);
      std::fill(words + base / 4, words + (base + function.local_bytes) / 4, kOutside);
    });
  }

  Mask OnLocal(const WarpAccess& access) override {
    Mask held_back = 0;
    ForEachLane(access.mask, [&](int lane) {
      u8* words = Of(*access.warp, lane);
      const u64 address = access.address[lane];
      u32 written = 0, outside = 0;
      for (u64 at = address; at < address + access.bytes;) {
        const u32 bits = BitsOf(at, address + access.bytes);
        written |= words[at >> 2] & bits;
        outside |= (words[at >> 2] >> 4) & bits;
        at = (at | 3) + 1;
      }
      if (outside) {
        held_back |= 1u << lane;
        return FaultsOf(access).OutOfBoundsWindow(*access.warp, *access.inst, lane, MemorySpace::kLocal,
                                                  address, access.bytes, access.access);
      }
      // A struct is copied with the padding between its members, which nobody writes.
      if (reads_count_ && access.access != Access::kWrite && !written) {
        FaultsOf(access).Uninitialised(*access.warp, *access.inst, lane, MemorySpace::kLocal, address,
                                       access.bytes);
      }
      if (access.access == Access::kRead) return;
      for (u64 at = address; at < address + access.bytes; at = (at | 3) + 1) {
        words[at >> 2] |= static_cast<u8>(BitsOf(at, address + access.bytes));
      }
    });
    return access.mask & ~held_back;
  }

 private:
  static constexpr u8 kOutside = 0xf0;

  /// The bytes of the word at `at` from there on that lie before `end`.
  static u32 BitsOf(u64 at, u64 end) {
    const u64 first = at & 3, count = std::min<u64>(4 - first, end - at);
    return ((1u << count) - 1) << first;
  }
  u8* Of(const WarpContext& warp, int lane) {
    return shadow_.data() + (std::size_t{warp.index} * kWarpSize + static_cast<std::size_t>(lane)) * words_;
  }
  static Faults& FaultsOf(const WarpAccess& access) { return *access.warp->block->faults; }

  const std::size_t words_;
  const bool reads_count_;
  std::vector<u8> shadow_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
