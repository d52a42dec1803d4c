// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Parallel Synchronization and Communication
// Instructions" of the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/instructions/async_copy.h"
#include "grader/virtual_gpu/instructions/half.h"
#include "grader/virtual_gpu/instructions/warp_ops.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define ATOM_ORDER "[.relaxed|.acquire|.release|.acq_rel][.cta|.cluster|.gpu|.sys]"
#define ATOM_HINT ATOM_ORDER "[.L2::cache_hint]"

// atom gives the old value, red does not; the same operations otherwise. The order and scope may stand in
// any of the places where compilers and libraries put them.
#define ATOMIC_ROWS(space, A, kSpace)                                                                        \
  {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max|.inc|.dec}" ATOM_HINT ".u32",                         \
   "dst.b32 address.b32 src.b32 ?policy.b64", A(u32), Updates(kSpace)},                                      \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".s32",                               \
       "dst.b32 address.b32 src.b32 ?policy.b64", A(s32), Updates(kSpace)},                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor|.exch}" ATOM_HINT ".b32",                          \
       "dst.b32 address.b32 src.b32 ?policy.b64", A(u32), Updates(kSpace)},                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_HINT ".b32",                                         \
       "dst.b32 address.b32 src.b32 src.b32 ?policy.b64", A(u32), Updates(kSpace), Effect::kCompareAndSwap}, \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".u64",                               \
       "dst.b64 address.b64 src.b64 ?policy.b64", A(u64), Updates(kSpace)},                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.min|.max}" ATOM_HINT ".s64",                                    \
       "dst.b64 address.b64 src.b64 ?policy.b64", A(s64), Updates(kSpace)},                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor|.exch}" ATOM_HINT ".b64",                          \
       "dst.b64 address.b64 src.b64 ?policy.b64", A(u64), Updates(kSpace)},                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_HINT ".b64",                                         \
       "dst.b64 address.b64 src.b64 src.b64 ?policy.b64", A(u64), Updates(kSpace), Effect::kCompareAndSwap}, \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_HINT ".b16",                                         \
       "dst.b16 address.b16 src.b16 src.b16 ?policy.b64", A(u16), Updates(kSpace), Effect::kCompareAndSwap}, \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_HINT ".f32",                                         \
       "dst.b32 address.f32 src.f32 ?policy.b64", A(float), Updates(kSpace), Flops(1)},                      \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_HINT ".f64",                                         \
       "dst.b64 address.f64 src.f64 ?policy.b64", A(double), Updates(kSpace), Flops(1)},                     \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max|.inc|.dec}" ATOM_HINT ".u32",                      \
       "address.b32 src.b32 ?policy.b64", A(u32), Updates(kSpace)},                                          \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".s32",                                \
       "address.b32 src.b32 ?policy.b64", A(s32), Updates(kSpace)},                                          \
      {"red" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor}" ATOM_HINT ".b32",                                 \
       "address.b32 src.b32 ?policy.b64", A(u32), Updates(kSpace)},                                          \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_HINT ".u64",                                \
       "address.b64 src.b64 ?policy.b64", A(u64), Updates(kSpace)},                                          \
      {"red" ATOM_ORDER space ATOM_ORDER "{.min|.max}" ATOM_HINT ".s64", "address.b64 src.b64 ?policy.b64",  \
       A(s64), Updates(kSpace)},                                                                             \
      {"red" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor}" ATOM_HINT ".b64",                                 \
       "address.b64 src.b64 ?policy.b64", A(u64), Updates(kSpace)},                                          \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_HINT ".f32", "address.f32 src.f32 ?policy.b64",       \
       A(float), Updates(kSpace), Flops(1)},                                                                 \
  {                                                                                                          \
    "red" ATOM_ORDER space "{.add}" ATOM_HINT ".f64", "address.f64 src.f64 ?policy.b64", A(double),          \
        Updates(kSpace), Flops(1)                                                                            \
  }
#define ATOMIC_HALF_ROWS(space, H, kSpace)                                                                   \
  {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16",                                         \
   "dst.b16 address.b16 src.b16 ?policy.b64", H(F16, 1), Updates(kSpace)},                                   \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16x2",                                   \
       "dst.b32 address.b32 src.b32 ?policy.b64", H(F16, 2), Updates(kSpace)},                               \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16",                                    \
       "dst.b16 address.b16 src.b16 ?policy.b64", H(BF16, 1), Updates(kSpace)},                              \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16x2",                                  \
       "dst.b32 address.b32 src.b32 ?policy.b64", H(BF16, 2), Updates(kSpace)},                              \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16", "address.b16 src.b16 ?policy.b64",   \
       H(F16, 1), Updates(kSpace)},                                                                          \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.f16x2", "address.b32 src.b32 ?policy.b64", \
       H(F16, 2), Updates(kSpace)},                                                                          \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16", "address.b16 src.b16 ?policy.b64",  \
       H(BF16, 1), Updates(kSpace)},                                                                         \
  {                                                                                                          \
    "red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_HINT ".noftz.bf16x2", "address.b32 src.b32 ?policy.b64",   \
        H(BF16, 2), Updates(kSpace)                                                                          \
  }
#define HALF_GLOBAL(F, n) AtomicHalf<F, n, GlobalSpace>
#define HALF_SHARED(F, n) AtomicHalf<F, n, SharedSpace>
#define HALF_GENERIC(F, n) AtomicHalfGeneric<F, n>
#define ATOMIC_GLOBAL(T) Atomic<T, GlobalSpace>
#define ATOMIC_SHARED(T) Atomic<T, SharedSpace>
#define ATOMIC_GENERIC(T) AtomicGeneric<T>

inline constexpr InstructionRow kAtomicRows[] = {
    ATOMIC_ROWS(".global", ATOMIC_GLOBAL, StateSpace::kGlobal),
    ATOMIC_ROWS("{.shared|.shared::cta}", ATOMIC_SHARED, StateSpace::kShared),
    ATOMIC_ROWS("", ATOMIC_GENERIC, StateSpace::kGeneric),
    ATOMIC_HALF_ROWS(".global", HALF_GLOBAL, StateSpace::kGlobal),
    ATOMIC_HALF_ROWS("{.shared|.shared::cta}", HALF_SHARED, StateSpace::kShared),
    ATOMIC_HALF_ROWS("", HALF_GENERIC, StateSpace::kGeneric),
};
#undef ATOMIC_ROWS
#undef ATOMIC_HALF_ROWS

constexpr StateSpace BarrierSpace(bool is_generic) {
  return is_generic ? StateSpace::kGeneric : StateSpace::kShared;
}
#define MBARRIER_ROWS(space, is_generic)                                                                     \
  {"mbarrier.init" space ".b64", "address.b64 src.b32", BarrierInit<is_generic>,                             \
   Updates(BarrierSpace(is_generic))},                                                                       \
      {"mbarrier.inval" space ".b64", "address.b64", BarrierInvalidate<is_generic>,                          \
       Updates(BarrierSpace(is_generic))},                                                                   \
      {"mbarrier.arrive[.release.cta|.relaxed.cta|.release.cluster|.relaxed.cluster]" space ".b64",          \
       "dst.b64 address.b64 ?src.b32", BarrierArrive<is_generic, false>, Updates(BarrierSpace(is_generic))}, \
      {"mbarrier.arrive.noComplete[.release.cta]" space ".b64", "dst.b64 address.b64 src.b32",               \
       BarrierArrive<is_generic, false>, Updates(BarrierSpace(is_generic))},                                 \
      {"mbarrier.arrive_drop[.release.cta|.relaxed.cta|.release.cluster|.relaxed.cluster]" space ".b64",     \
       "dst.b64 address.b64 ?src.b32", BarrierArrive<is_generic, true>, Updates(BarrierSpace(is_generic))},  \
      {"mbarrier.arrive_drop.noComplete[.release.cta]" space ".b64", "dst.b64 address.b64 src.b32",          \
       BarrierArrive<is_generic, true>, Updates(BarrierSpace(is_generic))},                                  \
      {"mbarrier{.test_wait|.try_wait}[.acquire.cta|.relaxed.cta|.acquire.cluster|.relaxed.cluster]" space   \
       ".b64",                                                                                               \
       "dst_pred address.b64 src.b64 ?src.b32", BarrierTest<is_generic, false>,                              \
       Updates(BarrierSpace(is_generic)), Control::kTryWait},                                                \
      {"mbarrier{.test_wait|.try_wait}.parity[.acquire.cta|.relaxed.cta|.acquire.cluster|.relaxed."          \
       "cluster]" space ".b64",                                                                              \
       "dst_pred address.b64 src.b32 ?src.b32", BarrierTest<is_generic, true>,                               \
       Updates(BarrierSpace(is_generic)), Control::kTryWait},                                                \
      {"cp.async.mbarrier.arrive" space ".b64", "address.b64", BarrierArriveAfterCopies<is_generic, false>,  \
       Updates(BarrierSpace(is_generic))},                                                                   \
  {                                                                                                          \
    "cp.async.mbarrier.arrive.noinc" space ".b64", "address.b64",                                            \
        BarrierArriveAfterCopies<is_generic, true>, Updates(BarrierSpace(is_generic))                        \
  }
inline constexpr InstructionRow kBarrierRows[] = {
    {"membar{.cta|.gl|.sys}", "", Fence, Ordering::kFence},
    {"fence[.sc|.acq_rel]{.cta|.cluster|.gpu|.sys}", "", Fence, Ordering::kFence},
    {"fence.proxy.async[.global|.shared::cta|.shared::cluster]", "", Nothing, Ordering::kProxyFence},
    {"fence.mbarrier_init.release.cluster", "", Nothing, Ordering::kProxyFence},
    MBARRIER_ROWS("{.shared|.shared::cta}", false),
    MBARRIER_ROWS("", true),
    {"mbarrier.pending_count.b64", "dst.b32 src.b64", BarrierPendingCount},
    {"bar[.cta].sync", "src.b32 ?src.b32", Nothing, Control::kBarrier},
    {"barrier[.cta].sync[.aligned]", "src.b32 ?src.b32", Nothing, Control::kBarrier,
     Effect::kLanesArriveApart},
    {"bar[.cta].arrive", "src.b32 src.b32", Nothing, Control::kBarrier},
    {"barrier[.cta].arrive[.aligned]", "src.b32 src.b32", Nothing, Control::kBarrier,
     Effect::kLanesArriveApart},
    {"bar[.cta].red.popc.u32", "dst.b32 src.b32 vote", BarrierCount, Control::kBarrier},
    {"bar[.cta].red.popc.u32", "dst.b32 src.b32 src.b32 vote", BarrierCount, Control::kBarrier},
    {"bar[.cta].red{.and|.or}.pred", "dst_pred src.b32 vote", BarrierVote, Control::kBarrier},
    {"bar[.cta].red{.and|.or}.pred", "dst_pred src.b32 src.b32 vote", BarrierVote, Control::kBarrier},
    {"barrier[.cta].red.popc[.aligned].u32", "dst.b32 src.b32 vote", BarrierCount, Control::kBarrier,
     Effect::kLanesArriveApart},
    {"barrier[.cta].red.popc[.aligned].u32", "dst.b32 src.b32 src.b32 vote", BarrierCount, Control::kBarrier,
     Effect::kLanesArriveApart},
    {"barrier[.cta].red{.and|.or}[.aligned].pred", "dst_pred src.b32 vote", BarrierVote, Control::kBarrier,
     Effect::kLanesArriveApart},
    {"barrier[.cta].red{.and|.or}[.aligned].pred", "dst_pred src.b32 src.b32 vote", BarrierVote,
     Control::kBarrier, Effect::kLanesArriveApart},
};
#undef MBARRIER_ROWS

inline constexpr InstructionRow kWarpRows[] = {
    {"shfl.sync{.up|.down|.bfly|.idx}.b32", "dst|pred.b32 src.b32 src.b32 src.b32 members", Shuffle,
     Control::kWarpSync},
    {"vote.sync{.all|.any|.uni}.pred", "dst_pred src_pred members", Vote, Control::kWarpSync},
    {"vote.sync.ballot.b32", "dst.b32 src_pred members", Ballot, Control::kWarpSync},
    // ptxas takes the modifiers in this order, too, and CUB writes them so.
    {"vote{.all|.any|.uni}.sync.pred", "dst_pred src_pred members", Vote, Control::kWarpSync},
    {"vote.ballot.sync.b32", "dst.b32 src_pred members", Ballot, Control::kWarpSync},
    {"activemask.b32", "dst.b32", ActiveMask},
    {"redux.sync.add{.u32|.s32}", "dst.b32 src.b32 members", Reduce<IntAdd, u32>, Control::kWarpSync},
    {"redux.sync.min.u32", "dst.b32 src.b32 members", Reduce<IntMin, u32>, Control::kWarpSync},
    {"redux.sync.min.s32", "dst.b32 src.b32 members", Reduce<IntMin, s32>, Control::kWarpSync},
    {"redux.sync.max.u32", "dst.b32 src.b32 members", Reduce<IntMax, u32>, Control::kWarpSync},
    {"redux.sync.max.s32", "dst.b32 src.b32 members", Reduce<IntMax, s32>, Control::kWarpSync},
    {"redux.sync.and.b32", "dst.b32 src.b32 members", Reduce<And, u32>, Control::kWarpSync},
    {"redux.sync.or.b32", "dst.b32 src.b32 members", Reduce<Or, u32>, Control::kWarpSync},
    {"redux.sync.xor.b32", "dst.b32 src.b32 members", Reduce<Xor, u32>, Control::kWarpSync},
    {"match.any.sync.b32", "dst.b32 src.b32 members", MatchAny<u32>, Control::kWarpSync},
    {"match.any.sync.b64", "dst.b32 src.b64 members", MatchAny<u64>, Control::kWarpSync},
    {"match.all.sync.b32", "dst|pred.b32 src.b32 members", MatchAll<u32>, Control::kWarpSync},
    {"match.all.sync.b64", "dst|pred.b32 src.b64 members", MatchAll<u64>, Control::kWarpSync},
    {"bar.warp.sync", "members", Nothing, Control::kWarpSync},
    {"elect.sync", "dst|pred.b32 members", Elect, Control::kWarpSync},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
