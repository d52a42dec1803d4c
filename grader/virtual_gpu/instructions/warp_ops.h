// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: instructions by which the lanes of a warp exchange values. The scheduler has
// already waited for the lanes in the member mask.
#pragma once

#include "grader/virtual_gpu/instructions/semantics.h"
#include "grader/virtual_gpu/machine/faults.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// For instructions whose whole effect is in the scheduler, or that order accesses which the interpreter
/// executes in order anyway.
inline void Nothing(WarpContext&, const Inst&, Mask) {}

/// The interpreter executes accesses in order anyway; only the observers are told.
inline void Fence(WarpContext& w, const Inst&, Mask) {
  for (Observer* observer : w.block->observers) observer->OnFence(*w.block);
}

enum ShuffleMode : u32 { kShflUp, kShflDown, kShflBfly, kShflIdx };

/// What a shuffle gives of a lane that has returned, or never was there: PTX leaves it open ("unpredictable",
/// PTX ISA, shfl.sync), and a register that still holds what the sum needs would hide that. A quiet NaN, and
/// as a number far from any index.
inline constexpr u32 kOpenValue = 0x7fc0dead;

/// "shfl.sync": op 0 d, 1 a, 2 b, 3 c, `predicate` whether a lane read another.
inline void Shuffle(WarpContext& w, const Inst& in, Mask mask) {
  const u32* a = w.Lanes<const u32>(in.op[1]);
  const u32* b = w.Lanes<const u32>(in.op[2]);
  const u32* c = w.Lanes<const u32>(in.op[3]);
  const u32 mode = (in.mods & mods::kModeMask) >> mods::kModeShift;
  alignas(64) u32 result[kWarpSize];
  alignas(64) u32 source[kWarpSize];
  Mask in_range = 0, from_gone = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int by = static_cast<int>(b[lane] & 31);
    const int segment = static_cast<int>((c[lane] >> 8) & 31);
    const int bound = static_cast<int>(c[lane] & 31);
    const int last = (lane & segment) | (bound & ~segment & 31);
    int from = lane;
    bool ok = false;
    switch (mode) {
      case kShflUp:
        from = lane - by;
        ok = from >= last;
        break;
      case kShflDown:
        from = lane + by;
        ok = from <= last;
        break;
      case kShflBfly:
        from = lane ^ by;
        ok = from <= last;
        break;
      default:
        from = (lane & segment) | (by & ~segment & 31);
        ok = from <= last;
        break;
    }
    const bool is_gone = ok && (w.live >> from & 1) == 0;
    result[lane] = is_gone ? kOpenValue : a[ok ? from : lane];
    source[lane] = static_cast<u32>(from);
    in_range |= u32(ok) << lane;
    from_gone |= u32(is_gone) << lane;
  }
  if ((from_gone & mask) != 0 && w.block->grid->observation.checks)
    w.block->faults->ShuffleAfterExit(w, in, mask, from_gone & mask, source);
  Merge(w.Lanes<u32>(in.op[0]), result, mask);
  if (in.predicate != kNoOperand) SetPredicate(w, in.predicate, in_range, mask);
}

inline Mask SourcePredicate(WarpContext& w, const Inst& in, OperandRef operand) {
  const Mask p = PredicateOf(w, operand);
  return in.mods & mods::kNegate ? ~p : p;
}

enum VoteMode : u32 { kVoteAll, kVoteAny, kVoteUni };

inline void Vote(WarpContext& w, const Inst& in, Mask mask) {
  const Mask p = SourcePredicate(w, in, in.op[1]) & mask;
  const u32 mode = (in.mods & mods::kModeMask) >> mods::kModeShift;
  const bool result = mode == kVoteAll ? p == mask : mode == kVoteAny ? p != 0 : p == 0 || p == mask;
  SetPredicate(w, in.op[0], result ? kAllLanes : 0, mask);
}
inline void Ballot(WarpContext& w, const Inst& in, Mask mask) {
  const Mask p = SourcePredicate(w, in, in.op[1]) & mask;
  ForEachLane(mask, [&](int i) { w.Lanes<u32>(in.op[0])[i] = p; });
}
inline void ActiveMask(WarpContext& w, const Inst& in, Mask mask) {
  ForEachLane(mask, [&](int i) { w.Lanes<u32>(in.op[0])[i] = mask; });
}

/// elect.sync: the lowest lane is the leader.
inline void Elect(WarpContext& w, const Inst& in, Mask mask) {
  const u32 leader = static_cast<u32>(__builtin_ctz(mask));
  ForEachLane(mask, [&](int i) { w.Lanes<u32>(in.op[0])[i] = leader; });
  if (in.predicate != kNoOperand) SetPredicate(w, in.predicate, 1u << leader, mask);
}

template <class Op, class T>
void Reduce(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  T all = a[__builtin_ctz(mask)];
  ForEachLane(mask & (mask - 1), [&](int i) { all = Op::Apply(all, a[i]); });
  ForEachLane(mask, [&](int i) { w.Lanes<T>(in.op[0])[i] = all; });
}

/// "match.any.sync": for each lane, the mask of lanes with the same value.
template <class T>
void MatchAny(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  alignas(64) u32 result[kWarpSize] = {};
  ForEachLane(mask, [&](int i) { ForEachLane(mask, [&](int j) { result[i] |= u32(a[i] == a[j]) << j; }); });
  Merge(w.Lanes<u32>(in.op[0]), result, mask);
}
/// "match.all.sync": the member mask if all lanes have the same value, otherwise 0.
template <class T>
void MatchAll(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  bool same = true;
  ForEachLane(mask, [&](int i) { same = same && a[i] == a[__builtin_ctz(mask)]; });
  ForEachLane(mask, [&](int i) { w.Lanes<u32>(in.op[0])[i] = same ? mask : 0; });
  if (in.predicate != kNoOperand) SetPredicate(w, in.predicate, same ? kAllLanes : 0, mask);
}

// --- Barriers of a block ("bar"): what their reductions give, once all have come. -------------------------

enum BarrierMode : u32 { kBarrierSync, kBarrierArrive, kBarrierOr };

inline void BarrierCount(WarpContext& w, const Inst& in, Mask mask) {
  const u32 count = w.block->barrier_votes.true_threads;
  ForEachLane(mask, [&](int i) { w.Lanes<u32>(in.op[0])[i] = count; });
}
inline void BarrierVote(WarpContext& w, const Inst& in, Mask mask) {
  const auto& votes = w.block->barrier_votes;
  const bool any = ((in.mods & mods::kModeMask) >> mods::kModeShift) == kBarrierOr;
  const bool result = any ? votes.true_threads != 0 : votes.true_threads == votes.threads;
  SetPredicate(w, in.op[0], result ? kAllLanes : 0, mask);
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
