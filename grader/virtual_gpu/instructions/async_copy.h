// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: asynchronous copies ("cp.async") and the barriers in shared memory that wait for
// them ("mbarrier"). Copies are executed at once; SharedChecks checks that the program waits for a copy
// before it reads the data.
#pragma once

#include "grader/virtual_gpu/instructions/half.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

// --- cp.async. -------------------------------------------------------------------------------------------

/// The meaning of the optional operand after the copy's size.
enum class CopyOption { kSourceBytes, kIgnoreSource };

/// Copies `want[lane]` bytes per lane from global memory and fills the rest of the `size` bytes with zeros.
inline void CopyLanes(WarpContext& w, const Inst& in, Mask mask, const u64* to, const u64* from, u32 size,
                      const u32* want) {
  // Lanes that read the whole size are one access; the others are handled one by one.
  const Mask whole = mask & BitOfEach([&](int i) { return want[i] == size; });
  alignas(64) u8 data[kWarpSize][16] = {};
  if (whole) {
    WarpAccess read{&w, &in, whole, from, size, Access::kRead};
    const Mask permitted = CheckGlobalAccess(read);
    ForEachLane(whole & ~permitted, [&](int i) { std::memset(data[i], 0xff, size); });
    ForEachLane(permitted, [&](int i) { std::memcpy(data[i], GlobalSpace::Host(w, i, from[i]), size); });
  }
  ForEachLane(mask & ~whole, [&](int lane) {
    // The bytes need not be a power of two.
    for (u32 k = 0; k < want[lane]; ++k) {
      alignas(64) u64 at[kWarpSize];
      at[lane] = from[lane] + k;
      WarpAccess read{&w, &in, 1u << lane, at, 1, Access::kRead};
      data[lane][k] =
          CheckGlobalAccess(read) ? static_cast<u8>(*GlobalSpace::Host(w, lane, at[lane])) : u8(0xff);
    }
  });
  WarpAccess write{&w, &in, mask, to, size, Access::kWrite, nullptr, true};
  write.copied = reinterpret_cast<const std::byte*>(data);
  const Mask stored = CheckSharedAccess(write);
  ForEachLane(stored, [&](int i) { std::memcpy(SharedSpace::Host(w, i, to[i]), data[i], size); });
}

/// "cp.async": `address` is the target in shared memory, op 1 the source, op 2 the option; imm holds the
/// target's offset in its lower half and the source's in its upper half; register_bytes is the size.
template <CopyOption kOption>
void CopyAsync(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 to[kWarpSize], from[kWarpSize];
  alignas(64) u32 want[kWarpSize];
  const auto to_offset = static_cast<s32>(in.imm), from_offset = static_cast<s32>(in.imm >> 32);
  ReadLanes<u64>(w, in.address, in.address_bytes, to);
  ReadLanes<u64>(w, in.op[1], in.source_bytes, from);
  for (int i = 0; i < kWarpSize; ++i) {
    to[i] += static_cast<u64>(s64{to_offset});
    from[i] += static_cast<u64>(s64{from_offset});
    if (in.address_bytes == 4) to[i] = static_cast<u32>(to[i]);
  }
  const u32 size = in.register_bytes;
  for (u32& bytes : want) bytes = size;
  if (in.op[2] != kNoOperand) {
    if constexpr (kOption == CopyOption::kSourceBytes) {
      const u32* bytes = w.Lanes<const u32>(in.op[2]);
      for (int i = 0; i < kWarpSize; ++i) want[i] = bytes[i] < size ? bytes[i] : size;
    } else {
      Mask ignore = PredicateOf(w, in.op[2]);
      if (in.mods & mods::kNegate) ignore = ~ignore;
      for (int i = 0; i < kWarpSize; ++i) want[i] = (ignore >> i) & 1 ? 0 : size;
    }
  }
  CopyLanes(w, in, mask, to, from, size, want);
}

inline void CommitCopies(WarpContext& w, const Inst&, Mask mask) {
  for (Observer* observer : w.block->observers) observer->OnCopiesCommitted(w, mask);
}
/// "cp.async.wait_group": imm is the number of most recent groups that may still be pending.
inline void AwaitGroups(WarpContext& w, const Inst& in, Mask mask) {
  for (Observer* observer : w.block->observers) observer->OnCopiesAwaited(w, mask, static_cast<u32>(in.imm));
}
inline void AwaitCopies(WarpContext& w, const Inst&, Mask mask) {
  for (Observer* observer : w.block->observers) observer->OnCopiesAwaited(w, mask, Observer::kNoGroups);
}

// --- mbarrier. -------------------------------------------------------------------------------------------

/// The 64 bits of an mbarrier object, whose format is implementation-defined. A token is a copy of them.
struct MemoryBarrier {
  u64 bits;
  static constexpr u64 kCountMask = (u64(1) << 20) - 1;
  u64 pending() const { return bits & kCountMask; }
  u64 expected() const { return (bits >> 20) & kCountMask; }
  u64 phase() const { return bits >> 40; }
  static MemoryBarrier Of(u64 phase, u64 expected, u64 pending) {
    return {(phase << 40) | ((expected & kCountMask) << 20) | (pending & kCountMask)};
  }
  /// `dropped` threads do not take part in later phases. Returns true if the phase is complete.
  bool Arrive(u64 count, u64 dropped) {
    const u64 still = expected() - dropped, left = pending() - count;
    const bool complete = (left & kCountMask) == 0;
    *this = complete ? Of(phase() + 1, still, still) : Of(phase(), still, left);
    return complete;
  }
};

/// Calls `f(lane, barrier)` with the mbarrier of each lane, in the shared or generic state space.
template <bool kGeneric, class F>
inline void OnBarriers(WarpContext& w, const Inst& in, Mask mask, Access access, F f) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  auto visit = [&](auto space, const u64* at, Mask lanes) {
    using Space = decltype(space);
    WarpAccess touched{&w, &in, lanes, at, 8, access};
    ForEachLane(Space::CheckAccess(touched), [&](int i) {
      MemoryBarrier barrier;
      std::memcpy(&barrier, Space::Host(w, i, at[i]), sizeof barrier);
      f(i, barrier);
      std::memcpy(Space::Host(w, i, at[i]), &barrier, sizeof barrier);
    });
  };
  if constexpr (kGeneric) {
    SplitGeneric(address, mask, visit);
  } else {
    visit(SharedSpace{}, address, mask);
  }
}

template <bool kGeneric>
void BarrierInit(WarpContext& w, const Inst& in, Mask mask) {
  const u32* count = w.Lanes<const u32>(in.op[1]);
  OnBarriers<kGeneric>(w, in, mask, Access::kWrite, [&](int i, MemoryBarrier& barrier) {
    barrier = MemoryBarrier::Of(0, count[i], count[i]);
  });
}
template <bool kGeneric>
void BarrierInvalidate(WarpContext& w, const Inst& in, Mask mask) {
  OnBarriers<kGeneric>(w, in, mask, Access::kWrite, [](int, MemoryBarrier& barrier) { barrier.bits = 0; });
}
/// A completed phase orders all earlier accesses, so for the race check it is a barrier of the block.
inline void PassPhase(WarpContext& w) {
  for (Observer* observer : w.block->observers) observer->OnBarrierPassed(*w.block);
}
/// arrive, arrive_drop: op 0 is the token, op 1 the number of arrivals (optional).
template <bool kGeneric, bool kDrop>
void BarrierArrive(WarpContext& w, const Inst& in, Mask mask) {
  const u32* count = in.op[1] == kNoOperand ? nullptr : w.Lanes<const u32>(in.op[1]);
  alignas(64) u64 token[kWarpSize] = {};
  OnBarriers<kGeneric>(w, in, mask, Access::kAtomic, [&](int i, MemoryBarrier& barrier) {
    token[i] = barrier.bits;
    const u64 arrivals = count ? count[i] : 1;
    if (barrier.Arrive(arrivals, kDrop ? arrivals : 0)) PassPhase(w);
  });
  if (in.op[0] != kNoOperand) Merge(w.Lanes<u64>(in.op[0]), token, mask);
}
/// "cp.async.mbarrier.arrive": the copies are done already. Without .noinc the pending count is incremented
/// first, so the arrival changes nothing.
template <bool kGeneric, bool kNoIncrement>
void BarrierArriveAfterCopies(WarpContext& w, const Inst& in, Mask mask) {
  AwaitCopies(w, in, mask);
  OnBarriers<kGeneric>(w, in, mask, Access::kAtomic, [&](int, MemoryBarrier& barrier) {
    if (kNoIncrement && barrier.Arrive(1, 0)) PassPhase(w);
  });
}
/// test_wait, try_wait: true if the phase of the token, or of the parity, is complete.
template <bool kGeneric, bool kParity>
void BarrierTest(WarpContext& w, const Inst& in, Mask mask) {
  // Lanes whose address is not a barrier, which has been reported, must not wait for ever.
  Mask done = mask;
  OnBarriers<kGeneric>(w, in, mask, Access::kAtomic, [&](int i, MemoryBarrier& barrier) {
    const bool complete = kParity ? (barrier.phase() & 1) != (w.Lanes<const u32>(in.op[1])[i] & 1)
                                  : barrier.phase() != MemoryBarrier{w.Lanes<const u64>(in.op[1])[i]}.phase();
    if (!complete) done &= ~(1u << i);
  });
  SetPredicate(w, in.op[0], done, mask);
}
inline void BarrierPendingCount(WarpContext& w, const Inst& in, Mask mask) {
  Map1<u32, u64>(w, in, mask, [](u64 token) { return u32(MemoryBarrier{token}.pending()); });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
