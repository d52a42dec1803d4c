// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which lanes of an access to memory may go on (bounds, alignment, observers), and
// where their addresses lead.
#pragma once

#include "grader/virtual_gpu/isa/instruction_row.h"
#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/machine/pattern_moves.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline void ComputeAddresses(WarpContext& w, const Inst& in, u64* address) {
  const u64 offset = static_cast<u64>(in.imm);
  if (in.address_bytes == 8) {
    const u64* base = w.Lanes<const u64>(in.address);
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) address[i] = base[i] + offset;
  } else {
    const u32* base = w.Lanes<const u32>(in.address);
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) address[i] = u32(base[i] + u32(offset));
  }
}

inline u32 ElementCount(const Inst& in) {
  return 1u << ((in.mods & mods::kVectorMask) >> mods::kVectorShift);
}

// --- Bounds and alignment. -----------------------------------------------------------------------------

/// Whether all lanes lie, aligned, within `size` bytes from `start` on; false where their pattern is not
/// known.
inline bool IsPatternWithin(const WarpAccess& at, u64 start, u64 size) {
  const AccessPattern* pattern = at.pattern;
  if (!pattern || !pattern->is_aligned) return false;
  const u64 first = at.address[__builtin_ctz(at.mask)];
  const u64 lowest = first + static_cast<u64>(s64{pattern->lowest}) - start;
  const u64 span = static_cast<u64>(s64{pattern->highest} - pattern->lowest) + at.bytes;
  return span <= size && lowest <= size - span && !(first & (at.bytes - 1));
}

/// Lanes whose access leaves `size` bytes from `start` on or is not aligned; among others also lanes that do
/// not access.
inline Mask Outside(const WarpAccess& at, u64 start, u64 size) {
  if (size < at.bytes) return kAllLanes;
  const u64 last = size - at.bytes, low_bits = at.bytes - 1;
  const u64* address = at.address;
  return BitOfEach([&](int i) { return (address[i] - start > last) | ((address[i] & low_bits) != 0); });
}

/// Takes lanes out of the access that do not lie within a region or are not aligned, and reports them.
[[gnu::noinline]] inline void CheckEachGlobal(WarpAccess& at, AccessPattern& last) {
  at.pattern = nullptr;
  if (!(Outside(at, last.region_start, last.region_bytes) & at.mask)) return;
  const BlockContext& block = *at.warp->block;
  Mask permitted = 0;
  ForEachLane(at.mask, [&](int lane) {
    const u64 address = at.address[lane];
    const Region* region = block.grid->memory->Find(address);
    const bool inside = region && at.bytes <= region->bytes - (address - region->start);
    const bool read_only = region && region->is_constant && at.access != Access::kRead;
    if (!inside || read_only) {
      block.faults->OutOfBoundsGlobal(*at.warp, *at.inst, lane, address, at.bytes, at.access);
    } else if (address & (at.bytes - 1)) {
      block.faults->Misaligned(*at.warp, *at.inst, lane, MemorySpace::kGlobal, address, at.bytes, at.access);
    } else {
      last.region_start = region->start;
      last.region_bytes = region->bytes;
      permitted |= 1u << lane;
    }
  });
  at.held_back = at.mask & ~permitted;
  at.mask = permitted;
}
inline void CheckGlobalBounds(WarpAccess& at) {
  AccessPattern& last = PatternOf(at);
  if (!IsPatternWithin(at, last.region_start, last.region_bytes)) CheckEachGlobal(at, last);
}

[[gnu::noinline]] inline void CheckEachInWindow(WarpAccess& at, MemorySpace space, u64 size) {
  at.pattern = nullptr;
  if (!(Outside(at, 0, size) & at.mask)) return;
  Faults& faults = *at.warp->block->faults;
  Mask permitted = 0;
  ForEachLane(at.mask, [&](int lane) {
    const u64 offset = at.address[lane];
    if (size < at.bytes || offset > size - at.bytes) {
      faults.OutOfBoundsWindow(*at.warp, *at.inst, lane, space, offset, at.bytes, at.access);
    } else if (offset & (at.bytes - 1)) {
      faults.Misaligned(*at.warp, *at.inst, lane, space, offset, at.bytes, at.access);
    } else {
      permitted |= 1u << lane;
    }
  });
  at.held_back = at.mask & ~permitted;
  at.mask = permitted;
}
inline void CheckWindowBounds(WarpAccess& at, MemorySpace space, u64 size) {
  if (!IsPatternWithin(at, 0, size)) CheckEachInWindow(at, space, size);
}

// --- Loads that more lanes execute than use the value. --------------------------------------------------

/// `when`: into Program::used_when.
[[gnu::noinline]] inline Mask LanesThatUse(const WarpAccess& at, std::int16_t when) {
  const UsedWhen& used_when = at.warp->block->grid->program->used_when[static_cast<u32>(when)];
  Mask used = 0;
  for (const std::vector<LaneComparison>& all : used_when) {
    Mask lanes = at.mask;
    for (const LaneComparison& each : all) {
      // Only observers must not change the warp; a comparison writes to a scratch register.
      each.compare.handler(const_cast<WarpContext&>(*at.warp), each.compare, at.mask);
      const Mask result = *at.warp->Lanes<const Mask>(each.compare.op[0]);
      lanes &= each.holds ? result : ~result;
    }
    used |= lanes;
  }
  return used;
}
inline void NoteUnused(WarpAccess& at) {
  if (at.inst->used_when >= 0 && at.mask) [[unlikely]]
    at.unused = at.mask & ~LanesThatUse(at, at.inst->used_when);
}
/// For checks: the access without lanes that do nothing with what they load. What they read is neither a race
/// nor a use of memory that nobody has set.
inline WarpAccess OfLanesThatUse(const WarpAccess& at) {
  WarpAccess used = at;
  used.mask &= ~at.unused;
  used.unused = 0;
  used.pattern = nullptr;
  return used;
}

// --- The whole check: returns the lanes of an access that may go on. -------------------------------------

/// Asks each observer. `at` is what is left within bounds.
template <Mask (Observer::*kOn)(const WarpAccess&)>
inline Mask Observe(const WarpAccess& at, std::span<Observer* const> observers) {
  Mask mask = at.mask;
  for (Observer* observer : observers) {
    if (mask) mask &= (observer->*kOn)(at);
  }
  return mask;
}

inline Mask CheckGlobalAccess(WarpAccess& at) {
  CheckGlobalBounds(at);
  NoteUnused(at);
  return Observe<&Observer::OnGlobal>(at, at.warp->block->global_observers);
}
inline Mask CheckSharedAccess(WarpAccess& at) {
  CheckWindowBounds(at, MemorySpace::kShared, at.warp->block->shared_bytes);
  NoteUnused(at);
  return Observe<&Observer::OnShared>(at, at.warp->block->shared_observers);
}
inline Mask CheckLocalAccess(WarpAccess& at) {
  CheckWindowBounds(at, MemorySpace::kLocal, at.warp->block->grid->program->local_bytes);
  return Observe<&Observer::OnLocal>(at, at.warp->block->local_observers);
}

// --- State spaces: where a lane's address leads once checked. ------------------------------------------
// kIsFlat: to one place, whichever lane it is.

struct GlobalSpace {
  static constexpr StateSpace kSpace = StateSpace::kGlobal;
  static constexpr bool kIsFlat = true;
  static Mask CheckAccess(WarpAccess& at) { return CheckGlobalAccess(at); }
  static std::byte* Host(const WarpContext&, int, u64 address) {
    return reinterpret_cast<std::byte*>(address);
  }
};
/// Constant memory lies in global memory, and is not counted as global traffic.
struct ConstSpace {
  static constexpr StateSpace kSpace = StateSpace::kConst;
  static constexpr bool kIsFlat = true;
  static Mask CheckAccess(WarpAccess& at) {
    CheckGlobalBounds(at);
    return Observe<&Observer::OnConstant>(at, at.warp->block->constant_observers);
  }
  static std::byte* Host(const WarpContext&, int, u64 address) {
    return reinterpret_cast<std::byte*>(address);
  }
};
struct SharedSpace {
  static constexpr StateSpace kSpace = StateSpace::kShared;
  static constexpr bool kIsFlat = true;
  static Mask CheckAccess(WarpAccess& at) { return CheckSharedAccess(at); }
  static std::byte* Host(const WarpContext& w, int, u64 address) { return w.block->shared + address; }
};
struct LocalSpace {
  static constexpr StateSpace kSpace = StateSpace::kLocal;
  static constexpr bool kIsFlat = false;
  static Mask CheckAccess(WarpAccess& at) { return CheckLocalAccess(at); }
  static std::byte* Host(const WarpContext& w, int lane, u64 address) {
    return w.local + static_cast<u64>(lane) * w.block->grid->program->local_bytes + address;
  }
};
/// The kernel's arguments: read-only, the same for all lanes.
struct ParamSpace {
  static constexpr StateSpace kSpace = StateSpace::kParam;
  static constexpr bool kIsFlat = true;
  static Mask CheckAccess(WarpAccess& at) {
    CheckWindowBounds(at, MemorySpace::kParameter, at.warp->block->grid->arguments.size());
    return at.mask;
  }
  static std::byte* Host(const WarpContext& w, int, u64 address) {
    return const_cast<std::byte*>(w.block->grid->arguments.data()) + address;
  }
};

/// A parameter or result of a call, in the frame of the activation; checked when it was decoded.
struct FrameSpace {
  static constexpr StateSpace kSpace = StateSpace::kParam;
  static constexpr bool kIsFlat = true;
  static Mask CheckAccess(WarpAccess& at) { return at.mask; }
  static std::byte* Host(const WarpContext& w, int, u64 address) { return w.base[0] + address; }
};

/// Runs `f(Space, addresses, lanes)` for the lanes of each space that generic addresses lead to.
template <class F>
inline void SplitGeneric(u64* address, Mask mask, F f) {
  const Mask shared = mask & BitOfEach([&](int i) { return address[i] - kSharedWindow < kWindowBytes; });
  const Mask local = mask & BitOfEach([&](int i) { return address[i] - kLocalWindow < kWindowBytes; });
  const Mask global = mask & ~shared & ~local;
  if (global) f(GlobalSpace{}, address, global);
  alignas(64) u64 offset[kWarpSize];
  if (shared) {
    for (int i = 0; i < kWarpSize; ++i) offset[i] = address[i] - kSharedWindow;
    f(SharedSpace{}, offset, shared);
  }
  if (local) {
    for (int i = 0; i < kWarpSize; ++i) offset[i] = address[i] - kLocalWindow;
    f(LocalSpace{}, offset, local);
  }
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
