// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, the memory accesses of "Data Movement and
// Conversion Instructions" of the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/exec/async_copy.h"
#include "grader/virtual_gpu/exec/memory_access.h"

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
#define LOAD_ROWS(space, S)                                                                 \
  {"ld" LOAD_ORDER space CACHE VEC "{.u8|.b8}", "v.b8 m ?h.b64", Load<u8, S>},              \
      {"ld" LOAD_ORDER space CACHE VEC ".s8", "v.b8 m ?h.b64", Load<s8, S>},                \
      {"ld" LOAD_ORDER space CACHE VEC "{.u16|.b16}", "v.b16 m ?h.b64", Load<u16, S>},      \
      {"ld" LOAD_ORDER space CACHE VEC ".s16", "v.b16 m ?h.b64", Load<s16, S>},             \
      {"ld" LOAD_ORDER space CACHE VEC "{.u32|.b32|.f32}", "v.b32 m ?h.b64", Load<u32, S>}, \
      {"ld" LOAD_ORDER space CACHE VEC ".s32", "v.b32 m ?h.b64", Load<s32, S>}, {           \
    "ld" LOAD_ORDER space CACHE VEC "{.u64|.b64|.s64|.f64}", "v.b64 m ?h.b64", Load<u64, S> \
  }
#define STORE_ROWS(space, S)                                                                         \
  {"st" STORE_ORDER space CACHE VEC "{.u8|.s8|.b8}", "m v.b8 ?h.b64", Store<u8, S>},                 \
      {"st" STORE_ORDER space CACHE VEC "{.u16|.s16|.b16}", "m v.b16 ?h.b64", Store<u16, S>},        \
      {"st" STORE_ORDER space CACHE VEC "{.u32|.s32|.b32|.f32}", "m v.b32 ?h.b64", Store<u32, S>}, { \
    "st" STORE_ORDER space CACHE VEC "{.u64|.s64|.b64|.f64}", "m v.b64 ?h.b64", Store<u64, S>        \
  }

inline constexpr InstructionRow kMemoryRows[] = {
    LOAD_ROWS(".global", GlobalSpace),
    LOAD_ROWS("{.shared|.shared::cta}", SharedSpace),
    LOAD_ROWS(".local", LocalSpace),
    LOAD_ROWS(".const", ConstSpace),
    {"ld.param" VEC "{.u8|.b8}", "v.b8 m", LoadParam<u8>},
    {"ld.param" VEC ".s8", "v.b8 m", LoadParam<s8>},
    {"ld.param" VEC "{.u16|.b16}", "v.b16 m", LoadParam<u16>},
    {"ld.param" VEC ".s16", "v.b16 m", LoadParam<s16>},
    {"ld.param" VEC "{.u32|.b32|.f32}", "v.b32 m", LoadParam<u32>},
    {"ld.param" VEC ".s32", "v.b32 m", LoadParam<s32>},
    {"ld.param" VEC "{.u64|.b64|.s64|.f64}", "v.b64 m", LoadParam<u64>},
    {"st.param" VEC "{.u8|.s8|.b8}", "m v.b8", Store<u8, FrameSpace>},
    {"st.param" VEC "{.u16|.s16|.b16}", "m v.b16", Store<u16, FrameSpace>},
    {"st.param" VEC "{.u32|.s32|.b32|.f32}", "m v.b32", Store<u32, FrameSpace>},
    {"st.param" VEC "{.u64|.s64|.b64|.f64}", "m v.b64", Store<u64, FrameSpace>},
    {"ld" LOAD_ORDER CACHE VEC "{.u8|.b8}", "v.b8 m ?h.b64", LoadGeneric<u8>},
    {"ld" LOAD_ORDER CACHE VEC ".s8", "v.b8 m ?h.b64", LoadGeneric<s8>},
    {"ld" LOAD_ORDER CACHE VEC "{.u16|.b16}", "v.b16 m ?h.b64", LoadGeneric<u16>},
    {"ld" LOAD_ORDER CACHE VEC ".s16", "v.b16 m ?h.b64", LoadGeneric<s16>},
    {"ld" LOAD_ORDER CACHE VEC "{.u32|.b32|.f32}", "v.b32 m ?h.b64", LoadGeneric<u32>},
    {"ld" LOAD_ORDER CACHE VEC ".s32", "v.b32 m ?h.b64", LoadGeneric<s32>},
    {"ld" LOAD_ORDER CACHE VEC "{.u64|.b64|.s64|.f64}", "v.b64 m ?h.b64", LoadGeneric<u64>},
    STORE_ROWS(".global", GlobalSpace),
    STORE_ROWS("{.shared|.shared::cta}", SharedSpace),
    STORE_ROWS(".local", LocalSpace),
    {"st" STORE_ORDER CACHE VEC "{.u8|.s8|.b8}", "m v.b8 ?h.b64", StoreGeneric<u8>},
    {"st" STORE_ORDER CACHE VEC "{.u16|.s16|.b16}", "m v.b16 ?h.b64", StoreGeneric<u16>},
    {"st" STORE_ORDER CACHE VEC "{.u32|.s32|.b32|.f32}", "m v.b32 ?h.b64", StoreGeneric<u32>},
    {"st" STORE_ORDER CACHE VEC "{.u64|.s64|.b64|.f64}", "m v.b64 ?h.b64", StoreGeneric<u64>},
    {"ldu[.global]" VEC "{.u8|.b8}", "v.b8 m", LoadGeneric<u8>},
    {"ldu[.global]" VEC ".s8", "v.b8 m", LoadGeneric<s8>},
    {"ldu[.global]" VEC "{.u16|.b16}", "v.b16 m", LoadGeneric<u16>},
    {"ldu[.global]" VEC ".s16", "v.b16 m", LoadGeneric<s16>},
    {"ldu[.global]" VEC "{.u32|.b32|.f32}", "v.b32 m", LoadGeneric<u32>},
    {"ldu[.global]" VEC ".s32", "v.b32 m", LoadGeneric<s32>},
    {"ldu[.global]" VEC "{.u64|.b64|.s64|.f64}", "v.b64 m", LoadGeneric<u64>},
    {"cvta[.to].global.u64", "d.b64 s.b64", ConvertAddress<0>},
    {"cvta[.to].const.u64", "d.b64 s.b64", ConvertAddress<0>},
    {"cvta[.to].shared.u64", "d.b64 s.b64", ConvertAddress<kSharedWindow>},
    {"cvta[.to].local.u64", "d.b64 s.b64", ConvertAddress<kLocalWindow>},
    // A block that was not launched as part of a cluster is one by itself.
    {"isspacep{.shared|.shared::cta|.shared::cluster}", "q s.b64", IsInWindow<kSharedWindow>},
    {"isspacep.local", "q s.b64", IsInWindow<kLocalWindow>},
    {"isspacep.global", "q s.b64", IsInGlobal<false>},
    {"isspacep.const", "q s.b64", IsInGlobal<true>},
    {"prefetch[.global|.local]{.L1|.L2}", "m", Nothing},
    {"prefetch.global{.L2::evict_last|.L2::evict_normal}", "m", Nothing},
    {"prefetchu.L1", "m", Nothing},
    {"discard[.global].L2", "m i", Nothing},
    {"applypriority[.global].L2::evict_normal", "m i", Nothing},
    {"createpolicy.fractional" PRIORITIES ".b64", "d.b64 ?s.f32", MakePolicy},
    {"createpolicy.range[.global]" PRIORITIES ".b64", "d.b64 m s.b32 s.b32", MakePolicy},
};
#undef LOAD_ROWS
#undef STORE_ROWS

#define COPY_ASYNC "cp.async{.ca|.cg}{.shared|.shared::cta}.global"
#define PREFETCH_SIZE "[.L2::64B|.L2::128B|.L2::256B]"
inline constexpr InstructionRow kAsyncCopyRows[] = {
    {COPY_ASYNC PREFETCH_SIZE, "m n S ?s.b32", CopyAsync<CopyOption::kSourceBytes>},
    {COPY_ASYNC PREFETCH_SIZE, "m n S p", CopyAsync<CopyOption::kIgnoreSource>},
    {COPY_ASYNC "{.L2::cache_hint}" PREFETCH_SIZE, "m n S h.b64", CopyAsync<CopyOption::kSourceBytes>},
    {COPY_ASYNC "{.L2::cache_hint}" PREFETCH_SIZE, "m n S s.b32 h.b64", CopyAsync<CopyOption::kSourceBytes>},
    {"cp.async.commit_group", "", CommitCopies},
    {"cp.async.wait_group", "i", AwaitGroups},
    {"cp.async.wait_all", "", AwaitCopies},
};
#undef COPY_ASYNC
#undef PREFETCH_SIZE

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
