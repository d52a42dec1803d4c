// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Parallel Synchronization and Communication
// Instructions" of the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/exec/async_copy.h"
#include "grader/virtual_gpu/exec/half.h"
#include "grader/virtual_gpu/exec/warp_ops.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define ATOM_ORDER "[.relaxed|.acquire|.release|.acq_rel][.cta|.cluster|.gpu|.sys]"
#define ATOM_HINT ATOM_ORDER "[.L2::cache_hint]"

// atom gives the old value, red does not; the same operations otherwise. The order and scope may stand in
// any of the places where compilers and libraries put them.
#define ATOMIC_ROWS(space, A)                                                                                \
  {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max|.inc|.dec}" ATOM_HINT ".u32", "d.b32 m s.b32 ?h.b64", \
   A(u32)},                                                                                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".s32", "d.b32 m s.b32 ?h.b64",       \
       A(s32)},                                                                                              \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor|.exch}" ATOM_HINT ".b32", "d.b32 m s.b32 ?h.b64",  \
       A(u32)},                                                                                              \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_HINT ".b32", "d.b32 m s.b32 s.b32 ?h.b64", A(u32)},  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".u64", "d.b64 m s.b64 ?h.b64",       \
       A(u64)},                                                                                              \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.min|.max}" ATOM_HINT ".s64", "d.b64 m s.b64 ?h.b64", A(s64)},   \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor|.exch}" ATOM_HINT ".b64", "d.b64 m s.b64 ?h.b64",  \
       A(u64)},                                                                                              \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_HINT ".b64", "d.b64 m s.b64 s.b64 ?h.b64", A(u64)},  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_HINT ".b16", "d.b16 m s.b16 s.b16 ?h.b64", A(u16)},  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_HINT ".f32", "d.b32 m s.f32 ?h.b64", A(float),       \
       Control::kNone, 1},                                                                                   \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_HINT ".f64", "d.b64 m s.f64 ?h.b64", A(double),      \
       Control::kNone, 1},                                                                                   \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max|.inc|.dec}" ATOM_HINT ".u32", "m s.b32 ?h.b64",    \
       A(u32)},                                                                                              \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".s32", "m s.b32 ?h.b64", A(s32)},     \
      {"red" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor}" ATOM_HINT ".b32", "m s.b32 ?h.b64", A(u32)},      \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".u64", "m s.b64 ?h.b64", A(u64)},     \
      {"red" ATOM_ORDER space ATOM_ORDER "{.min|.max}" ATOM_HINT ".s64", "m s.b64 ?h.b64", A(s64)},          \
      {"red" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor}" ATOM_HINT ".b64", "m s.b64 ?h.b64", A(u64)},      \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_HINT ".f32", "m s.f32 ?h.b64", A(float),              \
       Control::kNone, 1},                                                                                   \
  {                                                                                                          \
    "red" ATOM_ORDER space "{.add}" ATOM_HINT ".f64", "m s.f64 ?h.b64", A(double), Control::kNone, 1         \
  }
#define ATOMIC_HALF_ROWS(space, H)                                                                        \
  {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16", "d.b16 m s.b16 ?h.b64", H(F16, 1)},  \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16x2", "d.b32 m s.b32 ?h.b64",        \
       H(F16, 2)},                                                                                        \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16", "d.b16 m s.b16 ?h.b64",         \
       H(BF16, 1)},                                                                                       \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16x2", "d.b32 m s.b32 ?h.b64",       \
       H(BF16, 2)},                                                                                       \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16", "m s.b16 ?h.b64", H(F16, 1)},     \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16x2", "m s.b32 ?h.b64", H(F16, 2)},   \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16", "m s.b16 ?h.b64", H(BF16, 1)}, { \
    "red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16x2", "m s.b32 ?h.b64", H(BF16, 2)      \
  }
#define HALF_GLOBAL(F, n) AtomicHalf<F, n, GlobalSpace>
#define HALF_SHARED(F, n) AtomicHalf<F, n, SharedSpace>
#define HALF_GENERIC(F, n) AtomicHalfGeneric<F, n>
#define ATOMIC_GLOBAL(T) Atomic<T, GlobalSpace>
#define ATOMIC_SHARED(T) Atomic<T, SharedSpace>
#define ATOMIC_GENERIC(T) AtomicGeneric<T>

inline constexpr InstructionRow kAtomicRows[] = {
    ATOMIC_ROWS(".global", ATOMIC_GLOBAL),
    ATOMIC_ROWS("{.shared|.shared::cta}", ATOMIC_SHARED),
    ATOMIC_ROWS("", ATOMIC_GENERIC),
    ATOMIC_HALF_ROWS(".global", HALF_GLOBAL),
    ATOMIC_HALF_ROWS("{.shared|.shared::cta}", HALF_SHARED),
    ATOMIC_HALF_ROWS("", HALF_GENERIC),
};
#undef ATOMIC_ROWS
#undef ATOMIC_HALF_ROWS

#define MBARRIER_ROWS(space, kGeneric)                                                                     \
  {"mbarrier.init" space ".b64", "m s.b32", BarrierInit<kGeneric>},                                        \
      {"mbarrier.inval" space ".b64", "m", BarrierInvalidate<kGeneric>},                                   \
      {"mbarrier.arrive[.release.cta|.relaxed.cta|.release.cluster|.relaxed.cluster]" space ".b64",        \
       "d.b64 m ?s.b32", BarrierArrive<kGeneric, false>},                                                  \
      {"mbarrier.arrive.noComplete[.release.cta]" space ".b64", "d.b64 m s.b32",                           \
       BarrierArrive<kGeneric, false>},                                                                    \
      {"mbarrier.arrive_drop[.release.cta|.relaxed.cta|.release.cluster|.relaxed.cluster]" space ".b64",   \
       "d.b64 m ?s.b32", BarrierArrive<kGeneric, true>},                                                   \
      {"mbarrier.arrive_drop.noComplete[.release.cta]" space ".b64", "d.b64 m s.b32",                      \
       BarrierArrive<kGeneric, true>},                                                                     \
      {"mbarrier{.test_wait|.try_wait}[.acquire.cta|.relaxed.cta|.acquire.cluster|.relaxed.cluster]" space \
       ".b64",                                                                                             \
       "q m s.b64 ?s.b32", BarrierTest<kGeneric, false>, Control::kTryWait},                               \
      {"mbarrier{.test_wait|.try_wait}.parity[.acquire.cta|.relaxed.cta|.acquire.cluster|.relaxed."        \
       "cluster]" space ".b64",                                                                            \
       "q m s.b32 ?s.b32", BarrierTest<kGeneric, true>, Control::kTryWait},                                \
      {"cp.async.mbarrier.arrive" space ".b64", "m", BarrierArriveAfterCopies<kGeneric, false>}, {         \
    "cp.async.mbarrier.arrive.noinc" space ".b64", "m", BarrierArriveAfterCopies<kGeneric, true>           \
  }
inline constexpr InstructionRow kBarrierRows[] = {
    {"membar{.cta|.gl|.sys}", "", Fence},
    {"fence[.sc|.acq_rel]{.cta|.cluster|.gpu|.sys}", "", Fence},
    {"fence.proxy.async[.global|.shared::cta|.shared::cluster]", "", Nothing},
    {"fence.mbarrier_init.release.cluster", "", Nothing},
    MBARRIER_ROWS("{.shared|.shared::cta}", false),
    MBARRIER_ROWS("", true),
    {"mbarrier.pending_count.b64", "d.b32 s.b64", BarrierPendingCount},
    {"bar[.cta].sync", "s.b32 ?s.b32", Nothing, Control::kBarrier},
    {"barrier[.cta].sync[.aligned]", "s.b32 ?s.b32", Nothing, Control::kBarrier},
    {"bar[.cta].arrive", "s.b32 s.b32", Nothing, Control::kBarrier},
    {"barrier[.cta].arrive[.aligned]", "s.b32 s.b32", Nothing, Control::kBarrier},
    {"bar[.cta].red.popc.u32", "d.b32 s.b32 R", BarrierCount, Control::kBarrier},
    {"bar[.cta].red.popc.u32", "d.b32 s.b32 s.b32 R", BarrierCount, Control::kBarrier},
    {"bar[.cta].red{.and|.or}.pred", "q s.b32 R", BarrierVote, Control::kBarrier},
    {"bar[.cta].red{.and|.or}.pred", "q s.b32 s.b32 R", BarrierVote, Control::kBarrier},
    {"barrier[.cta].red.popc[.aligned].u32", "d.b32 s.b32 R", BarrierCount, Control::kBarrier},
    {"barrier[.cta].red.popc[.aligned].u32", "d.b32 s.b32 s.b32 R", BarrierCount, Control::kBarrier},
    {"barrier[.cta].red{.and|.or}[.aligned].pred", "q s.b32 R", BarrierVote, Control::kBarrier},
    {"barrier[.cta].red{.and|.or}[.aligned].pred", "q s.b32 s.b32 R", BarrierVote, Control::kBarrier},
};
#undef MBARRIER_ROWS

inline constexpr InstructionRow kWarpRows[] = {
    {"shfl.sync{.up|.down|.bfly|.idx}.b32", "D.b32 s.b32 s.b32 s.b32 k", Shuffle, Control::kWarpSync},
    {"vote.sync{.all|.any|.uni}.pred", "q p k", Vote, Control::kWarpSync},
    {"vote.sync.ballot.b32", "d.b32 p k", Ballot, Control::kWarpSync},
    {"activemask.b32", "d.b32", ActiveMask},
    {"redux.sync.add{.u32|.s32}", "d.b32 s.b32 k", Reduce<IntAdd, u32>, Control::kWarpSync},
    {"redux.sync.min.u32", "d.b32 s.b32 k", Reduce<IntMin, u32>, Control::kWarpSync},
    {"redux.sync.min.s32", "d.b32 s.b32 k", Reduce<IntMin, s32>, Control::kWarpSync},
    {"redux.sync.max.u32", "d.b32 s.b32 k", Reduce<IntMax, u32>, Control::kWarpSync},
    {"redux.sync.max.s32", "d.b32 s.b32 k", Reduce<IntMax, s32>, Control::kWarpSync},
    {"redux.sync.and.b32", "d.b32 s.b32 k", Reduce<And, u32>, Control::kWarpSync},
    {"redux.sync.or.b32", "d.b32 s.b32 k", Reduce<Or, u32>, Control::kWarpSync},
    {"redux.sync.xor.b32", "d.b32 s.b32 k", Reduce<Xor, u32>, Control::kWarpSync},
    {"match.any.sync.b32", "d.b32 s.b32 k", MatchAny<u32>, Control::kWarpSync},
    {"match.any.sync.b64", "d.b32 s.b64 k", MatchAny<u64>, Control::kWarpSync},
    {"match.all.sync.b32", "D.b32 s.b32 k", MatchAll<u32>, Control::kWarpSync},
    {"match.all.sync.b64", "D.b32 s.b64 k", MatchAll<u64>, Control::kWarpSync},
    {"bar.warp.sync", "k", Nothing, Control::kWarpSync},
    {"elect.sync", "D.b32 k", Elect, Control::kWarpSync},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
