// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, the memory accesses of "Data Movement and
// Conversion Instructions" of the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/instructions/async_copy.h"
#include "grader/virtual_gpu/instructions/memory_access.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define LOAD_ORDER "[.weak|.volatile|.relaxed|.acquire][.cta|.cluster|.gpu|.sys]"
#define STORE_ORDER "[.weak|.volatile|.relaxed|.release][.cta|.cluster|.gpu|.sys]"
// Where and how long data are cached changes no value. A policy (.L2::cache_hint) is an operand of its own.
#define CACHE                                                                                              \
  "[.ca|.cg|.cs|.lu|.cv|.wb|.wt][.nc][.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_" \
  "last|.L1::no_allocate][.L2::evict_normal|.L2::evict_first|.L2::evict_last][.L2::cache_hint]"            \
  "[.L2::64B|.L2::128B|.L2::256B]"
#define VEC "[.v2|.v4]"
#define PRIORITIES                                                            \
  "{.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged}" \
  "[.L2::evict_first|.L2::evict_unchanged]"

// Loads and stores of one space: the memory type's width and sign choose the handler.
#define LOAD_ROWS(space, S)                                                                            \
  {"ld" LOAD_ORDER space CACHE VEC "{.u8|.b8}", "dst_vector.b8 address.b8 ?policy.b64", Load<u8, S>,   \
   Reads(S::kSpace)},                                                                                  \
      {"ld" LOAD_ORDER space CACHE VEC ".s8", "dst_vector.b8 address.b8 ?policy.b64", Load<s8, S>,     \
       Reads(S::kSpace)},                                                                              \
      {"ld" LOAD_ORDER space CACHE VEC "{.u16|.b16}", "dst_vector.b16 address.b16 ?policy.b64",        \
       Load<u16, S>, Reads(S::kSpace)},                                                                \
      {"ld" LOAD_ORDER space CACHE VEC ".s16", "dst_vector.b16 address.b16 ?policy.b64", Load<s16, S>, \
       Reads(S::kSpace)},                                                                              \
      {"ld" LOAD_ORDER space CACHE VEC "{.u32|.b32|.f32}", "dst_vector.b32 address.b32 ?policy.b64",   \
       Load<u32, S>, Reads(S::kSpace)},                                                                \
      {"ld" LOAD_ORDER space CACHE VEC ".s32", "dst_vector.b32 address.b32 ?policy.b64", Load<s32, S>, \
       Reads(S::kSpace)},                                                                              \
  {                                                                                                    \
    "ld" LOAD_ORDER space CACHE VEC "{.u64|.b64|.s64|.f64}", "dst_vector.b64 address.b64 ?policy.b64", \
        Load<u64, S>, Reads(S::kSpace)                                                                 \
  }
#define STORE_ROWS(space, S)                                                                               \
  {"st" STORE_ORDER space CACHE VEC "{.u8|.s8|.b8}", "address.b8 src_vector.b8 ?policy.b64", Store<u8, S>, \
   Writes(S::kSpace)},                                                                                     \
      {"st" STORE_ORDER space CACHE VEC "{.u16|.s16|.b16}", "address.b16 src_vector.b16 ?policy.b64",      \
       Store<u16, S>, Writes(S::kSpace)},                                                                  \
      {"st" STORE_ORDER space CACHE VEC "{.u32|.s32|.b32|.f32}", "address.b32 src_vector.b32 ?policy.b64", \
       Store<u32, S>, Writes(S::kSpace)},                                                                  \
  {                                                                                                        \
    "st" STORE_ORDER space CACHE VEC "{.u64|.s64|.b64|.f64}", "address.b64 src_vector.b64 ?policy.b64",    \
        Store<u64, S>, Writes(S::kSpace)                                                                   \
  }

inline constexpr InstructionRow kMemoryRows[] = {
    LOAD_ROWS(".global", GlobalSpace),
    LOAD_ROWS("{.shared|.shared::cta}", SharedSpace),
    LOAD_ROWS(".local", LocalSpace),
    LOAD_ROWS(".const", ConstSpace),
    {"ld.param" VEC "{.u8|.b8}", "dst_vector.b8 address.b8", LoadParam<u8>, Reads(StateSpace::kParam)},
    {"ld.param" VEC ".s8", "dst_vector.b8 address.b8", LoadParam<s8>, Reads(StateSpace::kParam)},
    {"ld.param" VEC "{.u16|.b16}", "dst_vector.b16 address.b16", LoadParam<u16>, Reads(StateSpace::kParam)},
    {"ld.param" VEC ".s16", "dst_vector.b16 address.b16", LoadParam<s16>, Reads(StateSpace::kParam)},
    {"ld.param" VEC "{.u32|.b32|.f32}", "dst_vector.b32 address.b32", LoadParam<u32>,
     Reads(StateSpace::kParam)},
    {"ld.param" VEC ".s32", "dst_vector.b32 address.b32", LoadParam<s32>, Reads(StateSpace::kParam)},
    {"ld.param" VEC "{.u64|.b64|.s64|.f64}", "dst_vector.b64 address.b64", LoadParam<u64>,
     Reads(StateSpace::kParam)},
    {"st.param" VEC "{.u8|.s8|.b8}", "address.b8 src_vector.b8", Store<u8, FrameSpace>,
     Writes(StateSpace::kParam)},
    {"st.param" VEC "{.u16|.s16|.b16}", "address.b16 src_vector.b16", Store<u16, FrameSpace>,
     Writes(StateSpace::kParam)},
    {"st.param" VEC "{.u32|.s32|.b32|.f32}", "address.b32 src_vector.b32", Store<u32, FrameSpace>,
     Writes(StateSpace::kParam)},
    {"st.param" VEC "{.u64|.s64|.b64|.f64}", "address.b64 src_vector.b64", Store<u64, FrameSpace>,
     Writes(StateSpace::kParam)},
    {"ld" LOAD_ORDER CACHE VEC "{.u8|.b8}", "dst_vector.b8 address.b8 ?policy.b64", LoadGeneric<u8>,
     Reads(StateSpace::kGeneric)},
    {"ld" LOAD_ORDER CACHE VEC ".s8", "dst_vector.b8 address.b8 ?policy.b64", LoadGeneric<s8>,
     Reads(StateSpace::kGeneric)},
    {"ld" LOAD_ORDER CACHE VEC "{.u16|.b16}", "dst_vector.b16 address.b16 ?policy.b64", LoadGeneric<u16>,
     Reads(StateSpace::kGeneric)},
    {"ld" LOAD_ORDER CACHE VEC ".s16", "dst_vector.b16 address.b16 ?policy.b64", LoadGeneric<s16>,
     Reads(StateSpace::kGeneric)},
    {"ld" LOAD_ORDER CACHE VEC "{.u32|.b32|.f32}", "dst_vector.b32 address.b32 ?policy.b64", LoadGeneric<u32>,
     Reads(StateSpace::kGeneric)},
    {"ld" LOAD_ORDER CACHE VEC ".s32", "dst_vector.b32 address.b32 ?policy.b64", LoadGeneric<s32>,
     Reads(StateSpace::kGeneric)},
    {"ld" LOAD_ORDER CACHE VEC "{.u64|.b64|.s64|.f64}", "dst_vector.b64 address.b64 ?policy.b64",
     LoadGeneric<u64>, Reads(StateSpace::kGeneric)},
    STORE_ROWS(".global", GlobalSpace),
    STORE_ROWS("{.shared|.shared::cta}", SharedSpace),
    STORE_ROWS(".local", LocalSpace),
    {"st" STORE_ORDER CACHE VEC "{.u8|.s8|.b8}", "address.b8 src_vector.b8 ?policy.b64", StoreGeneric<u8>,
     Writes(StateSpace::kGeneric)},
    {"st" STORE_ORDER CACHE VEC "{.u16|.s16|.b16}", "address.b16 src_vector.b16 ?policy.b64",
     StoreGeneric<u16>, Writes(StateSpace::kGeneric)},
    {"st" STORE_ORDER CACHE VEC "{.u32|.s32|.b32|.f32}", "address.b32 src_vector.b32 ?policy.b64",
     StoreGeneric<u32>, Writes(StateSpace::kGeneric)},
    {"st" STORE_ORDER CACHE VEC "{.u64|.s64|.b64|.f64}", "address.b64 src_vector.b64 ?policy.b64",
     StoreGeneric<u64>, Writes(StateSpace::kGeneric)},
    {"ldu[.global]" VEC "{.u8|.b8}", "dst_vector.b8 address.b8", LoadGeneric<u8>, Reads(StateSpace::kByWord)},
    {"ldu[.global]" VEC ".s8", "dst_vector.b8 address.b8", LoadGeneric<s8>, Reads(StateSpace::kByWord)},
    {"ldu[.global]" VEC "{.u16|.b16}", "dst_vector.b16 address.b16", LoadGeneric<u16>,
     Reads(StateSpace::kByWord)},
    {"ldu[.global]" VEC ".s16", "dst_vector.b16 address.b16", LoadGeneric<s16>, Reads(StateSpace::kByWord)},
    {"ldu[.global]" VEC "{.u32|.b32|.f32}", "dst_vector.b32 address.b32", LoadGeneric<u32>,
     Reads(StateSpace::kByWord)},
    {"ldu[.global]" VEC ".s32", "dst_vector.b32 address.b32", LoadGeneric<s32>, Reads(StateSpace::kByWord)},
    {"ldu[.global]" VEC "{.u64|.b64|.s64|.f64}", "dst_vector.b64 address.b64", LoadGeneric<u64>,
     Reads(StateSpace::kByWord)},
    {"cvta[.to].global.u64", "dst.b64 src.b64", ConvertAddress<0>},
    {"cvta[.to].const.u64", "dst.b64 src.b64", ConvertAddress<0>},
    {"cvta[.to].shared.u64", "dst.b64 src.b64", ConvertAddress<kSharedWindow>},
    {"cvta[.to].local.u64", "dst.b64 src.b64", ConvertAddress<kLocalWindow>},
    // A block that was not launched as part of a cluster is one by itself.
    {"isspacep{.shared|.shared::cta|.shared::cluster}", "dst_pred src.b64", IsInWindow<kSharedWindow>},
    {"isspacep.local", "dst_pred src.b64", IsInWindow<kLocalWindow>},
    {"isspacep.global", "dst_pred src.b64", IsInGlobal<false>},
    {"isspacep.const", "dst_pred src.b64", IsInGlobal<true>},
    {"prefetch[.global|.local]{.L1|.L2}", "address", Nothing},
    {"prefetch.global{.L2::evict_last|.L2::evict_normal}", "address", Nothing},
    {"prefetchu.L1", "address", Nothing},
    {"discard[.global].L2", "address constant", Nothing},
    {"applypriority[.global].L2::evict_normal", "address constant", Nothing},
    {"createpolicy.fractional" PRIORITIES ".b64", "dst.b64 ?src.f32", MakePolicy},
    {"createpolicy.range[.global]" PRIORITIES ".b64", "dst.b64 address src.b32 src.b32", MakePolicy},
};
#undef LOAD_ROWS
#undef STORE_ROWS

#define COPY_ASYNC "cp.async{.ca|.cg}{.shared|.shared::cta}.global"
#define PREFETCH_SIZE "[.L2::64B|.L2::128B|.L2::256B]"
inline constexpr InstructionRow kAsyncCopyRows[] = {
    {COPY_ASYNC PREFETCH_SIZE, "address src_address copy_size ?src.b32", CopyAsync<CopyOption::kSourceBytes>,
     Writes(StateSpace::kShared), Effect::kAsyncCopy},
    {COPY_ASYNC PREFETCH_SIZE, "address src_address copy_size src_pred", CopyAsync<CopyOption::kIgnoreSource>,
     Writes(StateSpace::kShared), Effect::kAsyncCopy},
    {COPY_ASYNC "{.L2::cache_hint}" PREFETCH_SIZE, "address src_address copy_size policy.b64",
     CopyAsync<CopyOption::kSourceBytes>, Writes(StateSpace::kShared), Effect::kAsyncCopy},
    {COPY_ASYNC "{.L2::cache_hint}" PREFETCH_SIZE, "address src_address copy_size src.b32 policy.b64",
     CopyAsync<CopyOption::kSourceBytes>, Writes(StateSpace::kShared), Effect::kAsyncCopy},
    {"cp.async.commit_group", "", CommitCopies},
    {"cp.async.wait_group", "constant", AwaitGroups},
    {"cp.async.wait_all", "", AwaitCopies},
};
#undef COPY_ASYNC
#undef PREFETCH_SIZE

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
