// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the instruction table. One row a form: its spelling as in the PTX ISA manual,
// its operands, what it does. Parser checks, interpreter, trace and documentation read these rows; what is
// not here is refused by name when a module is loaded. The notation is InstructionRow's.
#pragma once

#include "grader/virtual_gpu/exec/arithmetic.h"
#include "grader/virtual_gpu/exec/async_copy.h"
#include "grader/virtual_gpu/exec/carry.h"
#include "grader/virtual_gpu/exec/half.h"
#include "grader/virtual_gpu/exec/matrix_rows.h"
#include "grader/virtual_gpu/exec/memory_access.h"
#include "grader/virtual_gpu/exec/packed_integers.h"
#include "grader/virtual_gpu/exec/warp_ops.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define CMP_INT "{.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs}"
#define CMP_FLOAT "{.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan}"
#define BOOL "[.and|.or|.xor]"
#define ROUND "[.rn|.rz|.rm|.rp]"
#define ROUND_INT "[.rni|.rzi|.rmi|.rpi]"
#define LOAD_ORDER "[.weak|.volatile|.relaxed|.acquire][.cta|.cluster|.gpu|.sys]"
#define STORE_ORDER "[.weak|.volatile|.relaxed|.release][.cta|.cluster|.gpu|.sys]"
#define CACHE                                                                                              \
  "[.ca|.cg|.cs|.lu|.cv|.wb|.wt][.nc][.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_" \
  "last|.L1::no_allocate][.L2::64B|.L2::128B|.L2::256B]"
#define VEC "[.v2|.v4]"
#define ATOM_ORDER "[.relaxed|.acquire|.release|.acq_rel][.cta|.cluster|.gpu|.sys]"

// Loads and stores of one space: the memory type's width and sign choose the handler.
#define LOAD_ROWS(space, S)                                                          \
  {"ld" LOAD_ORDER space CACHE VEC "{.u8|.b8}", "v.b8 m", Load<u8, S>},              \
      {"ld" LOAD_ORDER space CACHE VEC ".s8", "v.b8 m", Load<s8, S>},                \
      {"ld" LOAD_ORDER space CACHE VEC "{.u16|.b16}", "v.b16 m", Load<u16, S>},      \
      {"ld" LOAD_ORDER space CACHE VEC ".s16", "v.b16 m", Load<s16, S>},             \
      {"ld" LOAD_ORDER space CACHE VEC "{.u32|.b32|.f32}", "v.b32 m", Load<u32, S>}, \
      {"ld" LOAD_ORDER space CACHE VEC ".s32", "v.b32 m", Load<s32, S>}, {           \
    "ld" LOAD_ORDER space CACHE VEC "{.u64|.b64|.s64|.f64}", "v.b64 m", Load<u64, S> \
  }
#define STORE_ROWS(space, S)                                                                  \
  {"st" STORE_ORDER space CACHE VEC "{.u8|.s8|.b8}", "m v.b8", Store<u8, S>},                 \
      {"st" STORE_ORDER space CACHE VEC "{.u16|.s16|.b16}", "m v.b16", Store<u16, S>},        \
      {"st" STORE_ORDER space CACHE VEC "{.u32|.s32|.b32|.f32}", "m v.b32", Store<u32, S>}, { \
    "st" STORE_ORDER space CACHE VEC "{.u64|.s64|.b64|.f64}", "m v.b64", Store<u64, S>        \
  }

// atom gives the old value, red does not; the same operations otherwise. The order and scope may stand in
// any of the places where compilers and libraries put them.
#define ATOMIC_ROWS(space, A)                                                                                \
  {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max|.inc|.dec}" ATOM_ORDER ".u32", "d.b32 m s.b32",       \
   A(u32)},                                                                                                  \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_ORDER ".s32", "d.b32 m s.b32", A(s32)},    \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor|.exch}" ATOM_ORDER ".b32", "d.b32 m s.b32",        \
       A(u32)},                                                                                              \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_ORDER ".b32", "d.b32 m s.b32 s.b32", A(u32)},        \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_ORDER ".u64", "d.b64 m s.b64", A(u64)},    \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.min|.max}" ATOM_ORDER ".s64", "d.b64 m s.b64", A(s64)},         \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor|.exch}" ATOM_ORDER ".b64", "d.b64 m s.b64",        \
       A(u64)},                                                                                              \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_ORDER ".b64", "d.b64 m s.b64 s.b64", A(u64)},        \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.cas}" ATOM_ORDER ".b16", "d.b16 m s.b16 s.b16", A(u16)},        \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_ORDER ".f32", "d.b32 m s.f32", A(float),             \
       Control::kNone, 1},                                                                                   \
      {"atom" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_ORDER ".f64", "d.b64 m s.f64", A(double),            \
       Control::kNone, 1},                                                                                   \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max|.inc|.dec}" ATOM_ORDER ".u32", "m s.b32", A(u32)}, \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_ORDER ".s32", "m s.b32", A(s32)},           \
      {"red" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor}" ATOM_ORDER ".b32", "m s.b32", A(u32)},            \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add|.min|.max}" ATOM_ORDER ".u64", "m s.b64", A(u64)},           \
      {"red" ATOM_ORDER space ATOM_ORDER "{.min|.max}" ATOM_ORDER ".s64", "m s.b64", A(s64)},                \
      {"red" ATOM_ORDER space ATOM_ORDER "{.and|.or|.xor}" ATOM_ORDER ".b64", "m s.b64", A(u64)},            \
      {"red" ATOM_ORDER space ATOM_ORDER "{.add}" ATOM_ORDER ".f32", "m s.f32", A(float), Control::kNone,    \
       1},                                                                                                   \
  {                                                                                                          \
    "red" ATOM_ORDER space "{.add}.f64", "m s.f64", A(double), Control::kNone, 1                             \
  }
#define ATOMIC_HALF_ROWS(space, H)                                                                         \
  {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.f16", "d.b16 m s.b16", H(F16, 1)},         \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.f16x2", "d.b32 m s.b32", H(F16, 2)},   \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.bf16", "d.b16 m s.b16", H(BF16, 1)},   \
      {"atom" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.bf16x2", "d.b32 m s.b32", H(BF16, 2)}, \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.f16", "m s.b16", H(F16, 1)},            \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.f16x2", "m s.b32", H(F16, 2)},          \
      {"red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.bf16", "m s.b16", H(BF16, 1)}, {        \
    "red" ATOM_ORDER space ATOM_ORDER ".add" ATOM_ORDER ".noftz.bf16x2", "m s.b32", H(BF16, 2)             \
  }
#define HALF_GLOBAL(F, n) AtomicHalf<F, n, GlobalSpace>
#define HALF_SHARED(F, n) AtomicHalf<F, n, SharedSpace>
#define HALF_GENERIC(F, n) AtomicHalfGeneric<F, n>
#define ATOMIC_GLOBAL(T) Atomic<T, GlobalSpace>
#define ATOMIC_SHARED(T) Atomic<T, SharedSpace>
#define ATOMIC_GENERIC(T) AtomicGeneric<T>

inline constexpr InstructionRow kRows[] = {
    // --- Integer arithmetic.
    {"add{.u16|.s16}", "d.b16 s.b16 s.b16", Int2<IntAdd, u16>},
    {"add{.u32|.s32}", "d.b32 s.b32 s.b32", Int2<IntAdd, u32>},
    {"add{.u64|.s64}", "d.b64 s.b64 s.b64", Int2<IntAdd, u64>},
    {"add.sat.s32", "d.b32 s.b32 s.b32", SaturatedInt2<Add>},
    {"sub{.u16|.s16}", "d.b16 s.b16 s.b16", Int2<IntSub, u16>},
    {"sub{.u32|.s32}", "d.b32 s.b32 s.b32", Int2<IntSub, u32>},
    {"sub{.u64|.s64}", "d.b64 s.b64 s.b64", Int2<IntSub, u64>},
    {"sub.sat.s32", "d.b32 s.b32 s.b32", SaturatedInt2<Sub>},
    {"mul.lo{.u16|.s16}", "d.b16 s.b16 s.b16", Int2<MulLow, u16>},
    {"mul.lo{.u32|.s32}", "d.b32 s.b32 s.b32", Int2<MulLow, u32>},
    {"mul.lo{.u64|.s64}", "d.b64 s.b64 s.b64", Int2<MulLow, u64>},
    {"mul.hi.u16", "d.b16 s.b16 s.b16", Int2<MulHigh, u16>},
    {"mul.hi.s16", "d.b16 s.b16 s.b16", Int2<MulHigh, s16>},
    {"mul.hi.u32", "d.b32 s.b32 s.b32", Int2<MulHigh, u32>},
    {"mul.hi.s32", "d.b32 s.b32 s.b32", Int2<MulHigh, s32>},
    {"mul.hi.u64", "d.b64 s.b64 s.b64", Int2<MulHigh, u64>},
    {"mul.hi.s64", "d.b64 s.b64 s.b64", Int2<MulHigh, s64>},
    {"mul.wide.u16", "d.b32 s.b16 s.b16", MulWideLanes<u16>},
    {"mul.wide.s16", "d.b32 s.b16 s.b16", MulWideLanes<s16>},
    {"mul.wide.u32", "d.b64 s.b32 s.b32", MulWideLanes<u32>},
    {"mul.wide.s32", "d.b64 s.b32 s.b32", MulWideLanes<s32>},
    {"mul24.lo.u32", "d.b32 s.b32 s.b32", Int2<Mul24Low, u32>},
    {"mul24.lo.s32", "d.b32 s.b32 s.b32", Int2<Mul24Low, s32>},
    {"mad.lo{.u16|.s16}", "d.b16 s.b16 s.b16 s.b16", Mad<MulLow, u16>},
    {"mad.lo{.u32|.s32}", "d.b32 s.b32 s.b32 s.b32", Mad<MulLow, u32>},
    {"mad.lo{.u64|.s64}", "d.b64 s.b64 s.b64 s.b64", Mad<MulLow, u64>},
    {"mad.hi.u32", "d.b32 s.b32 s.b32 s.b32", Mad<MulHigh, u32>},
    {"mad.hi.s32", "d.b32 s.b32 s.b32 s.b32", Mad<MulHigh, s32>},
    {"mad.hi.u64", "d.b64 s.b64 s.b64 s.b64", Mad<MulHigh, u64>},
    {"mad.hi.s64", "d.b64 s.b64 s.b64 s.b64", Mad<MulHigh, s64>},
    {"mad.wide.u16", "d.b32 s.b16 s.b16 s.b32", MadWide<u16>},
    {"mad.wide.s16", "d.b32 s.b16 s.b16 s.b32", MadWide<s16>},
    {"mad.wide.u32", "d.b64 s.b32 s.b32 s.b64", MadWide<u32>},
    {"mad.wide.s32", "d.b64 s.b32 s.b32 s.b64", MadWide<s32>},
    {"mad24.lo.u32", "d.b32 s.b32 s.b32 s.b32", Mad<Mul24Low, u32>},
    {"mad24.lo.s32", "d.b32 s.b32 s.b32 s.b32", Mad<Mul24Low, s32>},
    {"sad.u32", "d.b32 s.b32 s.b32 s.b32", Sad<u32>},
    {"sad.s32", "d.b32 s.b32 s.b32 s.b32", Sad<s32>},
    {"div.u16", "d.b16 s.b16 s.b16", Int2<IntDiv, u16>},
    {"div.s16", "d.b16 s.b16 s.b16", Int2<IntDiv, s16>},
    {"div.u32", "d.b32 s.b32 s.b32", Int2<IntDiv, u32>},
    {"div.s32", "d.b32 s.b32 s.b32", Int2<IntDiv, s32>},
    {"div.u64", "d.b64 s.b64 s.b64", Int2<IntDiv, u64>},
    {"div.s64", "d.b64 s.b64 s.b64", Int2<IntDiv, s64>},
    {"rem.u16", "d.b16 s.b16 s.b16", Int2<IntRem, u16>},
    {"rem.s16", "d.b16 s.b16 s.b16", Int2<IntRem, s16>},
    {"rem.u32", "d.b32 s.b32 s.b32", Int2<IntRem, u32>},
    {"rem.s32", "d.b32 s.b32 s.b32", Int2<IntRem, s32>},
    {"rem.u64", "d.b64 s.b64 s.b64", Int2<IntRem, u64>},
    {"rem.s64", "d.b64 s.b64 s.b64", Int2<IntRem, s64>},
    {"min.u16", "d.b16 s.b16 s.b16", Int2<IntMin, u16>},
    {"min.s16", "d.b16 s.b16 s.b16", Int2<IntMin, s16>},
    {"min.u32", "d.b32 s.b32 s.b32", Int2<IntMin, u32>},
    {"min.s32", "d.b32 s.b32 s.b32", Int2<IntMin, s32>},
    {"min.u64", "d.b64 s.b64 s.b64", Int2<IntMin, u64>},
    {"min.s64", "d.b64 s.b64 s.b64", Int2<IntMin, s64>},
    {"max.u16", "d.b16 s.b16 s.b16", Int2<IntMax, u16>},
    {"max.s16", "d.b16 s.b16 s.b16", Int2<IntMax, s16>},
    {"max.u32", "d.b32 s.b32 s.b32", Int2<IntMax, u32>},
    {"max.s32", "d.b32 s.b32 s.b32", Int2<IntMax, s32>},
    {"max.u64", "d.b64 s.b64 s.b64", Int2<IntMax, u64>},
    {"max.s64", "d.b64 s.b64 s.b64", Int2<IntMax, s64>},
    {"neg.s16", "d.b16 s.b16", Neg<s16>},
    {"neg.s32", "d.b32 s.b32", Neg<s32>},
    {"neg.s64", "d.b64 s.b64", Neg<s64>},
    {"abs.s16", "d.b16 s.b16", Abs<s16>},
    {"abs.s32", "d.b32 s.b32", Abs<s32>},
    {"abs.s64", "d.b64 s.b64", Abs<s64>},

// --- Integers of more than 64 bits.
#define CARRY_ROWS(T, S, types, bits)                                                                        \
  {"add.cc" types, "d" bits " s" bits " s" bits " C", AddCarry<T, Carry::kOut>},                             \
      {"addc" types, "d" bits " s" bits " s" bits " C", AddCarry<T, Carry::kIn>},                            \
      {"addc.cc" types, "d" bits " s" bits " s" bits " C", AddCarry<T, Carry::kInOut>},                      \
      {"sub.cc" types, "d" bits " s" bits " s" bits " C", SubBorrow<T, Carry::kOut>},                        \
      {"subc" types, "d" bits " s" bits " s" bits " C", SubBorrow<T, Carry::kIn>},                           \
      {"subc.cc" types, "d" bits " s" bits " s" bits " C", SubBorrow<T, Carry::kInOut>},                     \
      {"mad.lo.cc" types, "d" bits " s" bits " s" bits " s" bits " C", MadCarry<MulLow, T, Carry::kOut>},    \
      {"madc.lo" types, "d" bits " s" bits " s" bits " s" bits " C", MadCarry<MulLow, T, Carry::kIn>},       \
      {"madc.lo.cc" types, "d" bits " s" bits " s" bits " s" bits " C", MadCarry<MulLow, T, Carry::kInOut>}, \
      MAD_HIGH_CARRY_ROWS(T, "." #T, bits), MAD_HIGH_CARRY_ROWS(S, "." #S, bits)
#define MAD_HIGH_CARRY_ROWS(T, type, bits)                                                               \
  {"mad.hi.cc" type, "d" bits " s" bits " s" bits " s" bits " C", MadCarry<MulHigh, T, Carry::kOut>},    \
      {"madc.hi" type, "d" bits " s" bits " s" bits " s" bits " C", MadCarry<MulHigh, T, Carry::kIn>}, { \
    "madc.hi.cc" type, "d" bits " s" bits " s" bits " s" bits " C", MadCarry<MulHigh, T, Carry::kInOut>  \
  }
    CARRY_ROWS(u32, s32, "{.u32|.s32}", ".b32"),
    CARRY_ROWS(u64, s64, "{.u64|.s64}", ".b64"),
#undef CARRY_ROWS
#undef MAD_HIGH_CARRY_ROWS

    // --- Bits.
    {"and.b16", "d.b16 s.b16 s.b16", Int2<And, u16>},
    {"and.b32", "d.b32 s.b32 s.b32", Int2<And, u32>},
    {"and.b64", "d.b64 s.b64 s.b64", Int2<And, u64>},
    {"and.pred", "q p p", Predicate2<And>},
    {"or.b16", "d.b16 s.b16 s.b16", Int2<Or, u16>},
    {"or.b32", "d.b32 s.b32 s.b32", Int2<Or, u32>},
    {"or.b64", "d.b64 s.b64 s.b64", Int2<Or, u64>},
    {"or.pred", "q p p", Predicate2<Or>},
    {"xor.b16", "d.b16 s.b16 s.b16", Int2<Xor, u16>},
    {"xor.b32", "d.b32 s.b32 s.b32", Int2<Xor, u32>},
    {"xor.b64", "d.b64 s.b64 s.b64", Int2<Xor, u64>},
    {"xor.pred", "q p p", Predicate2<Xor>},
    {"not.b16", "d.b16 s.b16", Not<u16>},
    {"not.b32", "d.b32 s.b32", Not<u32>},
    {"not.b64", "d.b64 s.b64", Not<u64>},
    {"not.pred", "q p", PredicateNot},
    {"cnot.b16", "d.b16 s.b16", LogicalNot<u16>},
    {"cnot.b32", "d.b32 s.b32", LogicalNot<u32>},
    {"cnot.b64", "d.b64 s.b64", LogicalNot<u64>},
    {"lop3.b32", "d.b32 s.b32 s.b32 s.b32 i", Lop3},
    {"shl.b16", "d.b16 s.b16 s.b32", Shift<ShiftLeft, u16>},
    {"shl.b32", "d.b32 s.b32 s.b32", Shift<ShiftLeft, u32>},
    {"shl.b64", "d.b64 s.b64 s.b32", Shift<ShiftLeft, u64>},
    {"shr{.b16|.u16}", "d.b16 s.b16 s.b32", Shift<ShiftRight, u16>},
    {"shr.s16", "d.b16 s.b16 s.b32", Shift<ShiftRight, s16>},
    {"shr{.b32|.u32}", "d.b32 s.b32 s.b32", Shift<ShiftRight, u32>},
    {"shr.s32", "d.b32 s.b32 s.b32", Shift<ShiftRight, s32>},
    {"shr{.b64|.u64}", "d.b64 s.b64 s.b32", Shift<ShiftRight, u64>},
    {"shr.s64", "d.b64 s.b64 s.b32", Shift<ShiftRight, s64>},
    {"shf.l{.clamp|.wrap}.b32", "d.b32 s.b32 s.b32 s.b32", ShfLeft},
    {"shf.r{.clamp|.wrap}.b32", "d.b32 s.b32 s.b32 s.b32", ShfRight},
    {"prmt.b32", "d.b32 s.b32 s.b32 s.b32", Prmt},
    {"prmt.b32{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "d.b32 s.b32 s.b32 s.b32", PermuteByMode},
    {"bmsk{.clamp|.wrap}.b32", "d.b32 s.b32 s.b32", BitMask},
    {"szext{.clamp|.wrap}.u32", "d.b32 s.b32 s.b32", ExtendFrom<u32>},
    {"szext{.clamp|.wrap}.s32", "d.b32 s.b32 s.b32", ExtendFrom<s32>},
    {"fns.b32", "d.b32 s.b32 s.b32 s.b32", FindNthSet},
    {"bfe.u32", "d.b32 s.b32 s.b32 s.b32", Bfe<u32>},
    {"bfe.s32", "d.b32 s.b32 s.b32 s.b32", Bfe<s32>},
    {"bfe.u64", "d.b64 s.b64 s.b32 s.b32", Bfe<u64>},
    {"bfe.s64", "d.b64 s.b64 s.b32 s.b32", Bfe<s64>},
    {"bfi.b32", "d.b32 s.b32 s.b32 s.b32 s.b32", Bfi<u32>},
    {"bfi.b64", "d.b64 s.b64 s.b64 s.b32 s.b32", Bfi<u64>},
    {"popc.b32", "d.b32 s.b32", PopCount<u32>},
    {"popc.b64", "d.b32 s.b64", PopCount<u64>},
    {"clz.b32", "d.b32 s.b32", LeadingZeros<u32>},
    {"clz.b64", "d.b32 s.b64", LeadingZeros<u64>},
    {"brev.b32", "d.b32 s.b32", Brev<u32>},
    {"brev.b64", "d.b64 s.b64", Brev<u64>},
    {"bfind.shiftamt.u32", "d.b32 s.b32", BfindShift<u32>},
    {"bfind.shiftamt.s32", "d.b32 s.b32", BfindShift<s32>},
    {"bfind.shiftamt.u64", "d.b32 s.b64", BfindShift<u64>},
    {"bfind.shiftamt.s64", "d.b32 s.b64", BfindShift<s64>},
    {"bfind.u32", "d.b32 s.b32", Bfind<u32>},
    {"bfind.s32", "d.b32 s.b32", Bfind<s32>},
    {"bfind.u64", "d.b32 s.b64", Bfind<u64>},
    {"bfind.s64", "d.b32 s.b64", Bfind<s64>},

    // --- Several integers in a register.
    {"dp4a.u32.u32", "d.b32 s.b32 s.b32 s.b32", DotBytes<u8, u8>},
    {"dp4a.u32.s32", "d.b32 s.b32 s.b32 s.b32", DotBytes<u8, s8>},
    {"dp4a.s32.u32", "d.b32 s.b32 s.b32 s.b32", DotBytes<s8, u8>},
    {"dp4a.s32.s32", "d.b32 s.b32 s.b32 s.b32", DotBytes<s8, s8>},
    {"dp2a{.lo|.hi}.u32.u32", "d.b32 s.b32 s.b32 s.b32", DotHalves<u16, u8>},
    {"dp2a{.lo|.hi}.u32.s32", "d.b32 s.b32 s.b32 s.b32", DotHalves<u16, s8>},
    {"dp2a{.lo|.hi}.s32.u32", "d.b32 s.b32 s.b32 s.b32", DotHalves<s16, u8>},
    {"dp2a{.lo|.hi}.s32.s32", "d.b32 s.b32 s.b32 s.b32", DotHalves<s16, s8>},
    {"add{.u16x2|.s16x2}", "d.b32 s.b32 s.b32", Int16Pair<IntAdd, u16>},
    {"min.u16x2", "d.b32 s.b32 s.b32", Int16Pair<IntMin, u16>},
    {"min.s16x2[.relu]", "d.b32 s.b32 s.b32", Int16Pair<IntMin, s16>},
    {"max.u16x2", "d.b32 s.b32 s.b32", Int16Pair<IntMax, u16>},
    {"max.s16x2[.relu]", "d.b32 s.b32 s.b32", Int16Pair<IntMax, s16>},
    {"vabsdiff4.u32.u32.u32[.add]", "d.b32 s.b32 s.b32 s.b32", AbsoluteDifferences<u8>},
    {"vabsdiff4.u32.s32.s32[.add]", "d.b32 s.b32 s.b32 s.b32", AbsoluteDifferences<s8>},

    // --- Floating point.
    {"add" ROUND "[.ftz][.sat].f32", "d.b32 s.f32 s.f32", Float2<Add, float>, Control::kNone, 1},
    {"add" ROUND ".f64", "d.b64 s.f64 s.f64", Float2<Add, double>, Control::kNone, 1},
    {"sub" ROUND "[.ftz][.sat].f32", "d.b32 s.f32 s.f32", Float2<Sub, float>, Control::kNone, 1},
    {"sub" ROUND ".f64", "d.b64 s.f64 s.f64", Float2<Sub, double>, Control::kNone, 1},
    {"mul" ROUND "[.ftz][.sat].f32", "d.b32 s.f32 s.f32", Float2<Mul, float>, Control::kNone, 1},
    {"mul" ROUND ".f64", "d.b64 s.f64 s.f64", Float2<Mul, double>, Control::kNone, 1},
    {"fma{.rn|.rz|.rm|.rp}[.ftz][.sat].f32", "d.b32 s.f32 s.f32 s.f32", FusedMulAdd<float>, Control::kNone,
     2},
    {"fma{.rn|.rz|.rm|.rp}.f64", "d.b64 s.f64 s.f64 s.f64", FusedMulAdd<double>, Control::kNone, 2},
    {"mad" ROUND "[.ftz][.sat].f32", "d.b32 s.f32 s.f32 s.f32", FusedMulAdd<float>, Control::kNone, 2},
    {"mad" ROUND ".f64", "d.b64 s.f64 s.f64 s.f64", FusedMulAdd<double>, Control::kNone, 2},
    {"div{.rn|.rz|.rm|.rp|.full}[.ftz].f32", "d.b32 s.f32 s.f32", Float2<Div, float>, Control::kNone, 1},
    {"div.approx[.ftz].f32", "d.b32 s.f32 s.f32", Float2<ApproximateDiv, float>, Control::kNone, 1},
    {"div{.rn|.rz|.rm|.rp}.f64", "d.b64 s.f64 s.f64", Float2<Div, double>, Control::kNone, 1},
    {"min[.ftz].f32", "d.b32 s.f32 s.f32", Float2<FloatMin, float>},
    {"min.f64", "d.b64 s.f64 s.f64", Float2<FloatMin, double>},
    {"max[.ftz].f32", "d.b32 s.f32 s.f32", Float2<FloatMax, float>},
    {"max.f64", "d.b64 s.f64 s.f64", Float2<FloatMax, double>},
    {"neg[.ftz].f32", "d.b32 s.f32", SignBit<float, u32, 0x80000000u, 0xffffffffu>},
    {"neg.f64", "d.b64 s.f64", SignBit<double, u64, u64(1) << 63, ~u64(0)>},
    {"abs[.ftz].f32", "d.b32 s.f32", SignBit<float, u32, 0, 0x7fffffffu>},
    {"abs.f64", "d.b64 s.f64", SignBit<double, u64, 0, ~(u64(1) << 63)>},
    {"testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.f32", "q s.f32", TestFloat<float>},
    {"testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.f64", "q s.f64", TestFloat<double>},
    {"copysign.f32", "d.b32 s.f32 s.f32", CopySign<u32>},
    {"copysign.f64", "d.b64 s.f64 s.f64", CopySign<u64>},
    {"rcp{.rn|.rz|.rm|.rp|.approx}[.ftz].f32", "d.b32 s.f32", Float1<float, Reciprocal<float>>,
     Control::kNone, 1},
    {"rcp{.rn|.rz|.rm|.rp}.f64", "d.b64 s.f64", Float1<double, Reciprocal<double>>, Control::kNone, 1},
    {"sqrt{.rn|.rz|.rm|.rp|.approx}[.ftz].f32", "d.b32 s.f32", Float1<float, SquareRoot<float>>,
     Control::kNone, 1},
    {"sqrt{.rn|.rz|.rm|.rp}.f64", "d.b64 s.f64", Float1<double, SquareRoot<double>>, Control::kNone, 1},
    {"rsqrt.approx[.ftz].f32", "d.b32 s.f32", Float1<float, ReciprocalSquareRoot>, Control::kNone, 1},
    {"rsqrt.approx.f64", "d.b64 s.f64", Float1<double, ReciprocalSquareRoot64>, Control::kNone, 1},
    {"rsqrt.approx.ftz.f64", "d.b64 s.f64", ReciprocalSquareRootFlushed64, Control::kNone, 1},
    {"ex2.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Exp2>, Control::kNone, 1},
    {"lg2.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Log2>, Control::kNone, 1},
    {"sin.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Sine>, Control::kNone, 1},
    {"cos.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Cosine>, Control::kNone, 1},
    {"tanh.approx.f32", "d.b32 s.f32", Float1<float, HyperbolicTangent>, Control::kNone, 1},

// --- Half precision: f16 and bf16, single and in pairs.
#define HALF_ARITHMETIC_ROWS(F, n, mods, type, bits)                                                         \
  {"add[.rn]" mods type, "d" bits " s" bits " s" bits, Half2<Add, F, n>, Control::kNone, n},                 \
      {"sub[.rn]" mods type, "d" bits " s" bits " s" bits, Half2<Sub, F, n>, Control::kNone, n},             \
      {"mul[.rn]" mods type, "d" bits " s" bits " s" bits, Half2<Mul, F, n>, Control::kNone, n}, {           \
    "fma.rn" mods type, "d" bits " s" bits " s" bits " s" bits, HalfFusedMulAdd<F, n>, Control::kNone, 2 * n \
  }
#define HALF_OTHER_ROWS(F, n, ftz, type, bits, to)                                                   \
  {"fma.rn" ftz "{.relu}" type, "d" bits " s" bits " s" bits " s" bits, HalfFusedMulAdd<F, n>,       \
   Control::kNone, 2 * n},                                                                           \
      {"min" ftz "[.NaN]" type, "d" bits " s" bits " s" bits, HalfExtreme<FloatMin, F, n>},          \
      {"max" ftz "[.NaN]" type, "d" bits " s" bits " s" bits, HalfExtreme<FloatMax, F, n>},          \
      {"neg" ftz type, "d" bits " s" bits, HalfSign<F, n, 0x8000, 0xffff>},                          \
      {"abs" ftz type, "d" bits " s" bits, HalfSign<F, n, 0, 0x7fff>},                               \
      {"tanh.approx" type, "d" bits " s" bits, Half1<F, n, HyperbolicTangent>, Control::kNone, n}, { \
    "setp" CMP_FLOAT BOOL ftz type, to " s" bits " s" bits " ?p", SetPredicateFromHalf<F, n>         \
  }
    HALF_ARITHMETIC_ROWS(F16, 1, "[.ftz][.sat]", ".f16", ".b16"),
    HALF_ARITHMETIC_ROWS(F16, 2, "[.ftz][.sat]", ".f16x2", ".b32"),
    HALF_ARITHMETIC_ROWS(BF16, 1, "", ".bf16", ".b16"),
    HALF_ARITHMETIC_ROWS(BF16, 2, "", ".bf16x2", ".b32"),
    HALF_OTHER_ROWS(F16, 1, "[.ftz]", ".f16", ".b16", "q"),
    HALF_OTHER_ROWS(F16, 2, "[.ftz]", ".f16x2", ".b32", "Q"),
    HALF_OTHER_ROWS(BF16, 1, "", ".bf16", ".b16", "q"),
    HALF_OTHER_ROWS(BF16, 2, "", ".bf16x2", ".b32", "Q"),
#undef HALF_ARITHMETIC_ROWS
#undef HALF_OTHER_ROWS
    {"ex2.approx.f16", "d.b16 s.b16", Half1<F16, 1, Exp2>, Control::kNone, 1},
    {"ex2.approx.f16x2", "d.b32 s.b32", Half1<F16, 2, Exp2>, Control::kNone, 2},
    {"ex2.approx{.ftz}.bf16", "d.b16 s.b16", Half1<BF16, 1, Exp2>, Control::kNone, 1},
    {"ex2.approx{.ftz}.bf16x2", "d.b32 s.b32", Half1<BF16, 2, Exp2>, Control::kNone, 2},
    {"set" CMP_FLOAT "[.ftz].f16.f16", "d.b16 s.b16 s.b16", SetFromHalf<u16, F16::kOne, F16, 1>},
    {"set" CMP_FLOAT "[.ftz].f16x2.f16x2", "d.b32 s.b32 s.b32", SetFromHalf<u16, F16::kOne, F16, 2>},
    {"set" CMP_FLOAT "[.ftz]{.u16|.s16}.f16", "d.b16 s.b16 s.b16", SetFromHalf<u16, 0xffff, F16, 1>},
    {"set" CMP_FLOAT "[.ftz]{.u32|.s32}.f16", "d.b32 s.b16 s.b16", SetFromHalf<u32, ~0u, F16, 1>},
    {"set" CMP_FLOAT "[.ftz]{.u32|.s32}.f16x2", "d.b32 s.b32 s.b32", SetFromHalf<u16, 0xffff, F16, 2>},
    {"set" CMP_FLOAT ".bf16.bf16", "d.b16 s.b16 s.b16", SetFromHalf<u16, BF16::kOne, BF16, 1>},
    {"set" CMP_FLOAT ".bf16x2.bf16x2", "d.b32 s.b32 s.b32", SetFromHalf<u16, BF16::kOne, BF16, 2>},
    {"set" CMP_FLOAT "{.u16|.s16}.bf16", "d.b16 s.b16 s.b16", SetFromHalf<u16, 0xffff, BF16, 1>},
    {"set" CMP_FLOAT "{.u32|.s32}.bf16", "d.b32 s.b16 s.b16", SetFromHalf<u32, ~0u, BF16, 1>},
    {"set" CMP_FLOAT "{.u32|.s32}.bf16x2", "d.b32 s.b32 s.b32", SetFromHalf<u16, 0xffff, BF16, 2>},

    // --- Comparison and selection.
    {"setp" CMP_INT BOOL "{.u16|.b16}", "Q s.b16 s.b16 ?p", SetPredicateFrom<u16>},
    {"setp" CMP_INT BOOL ".s16", "Q s.b16 s.b16 ?p", SetPredicateFrom<s16>},
    {"setp" CMP_INT BOOL "{.u32|.b32}", "Q s.b32 s.b32 ?p", SetPredicateFrom<u32>},
    {"setp" CMP_INT BOOL ".s32", "Q s.b32 s.b32 ?p", SetPredicateFrom<s32>},
    {"setp" CMP_INT BOOL "{.u64|.b64}", "Q s.b64 s.b64 ?p", SetPredicateFrom<u64>},
    {"setp" CMP_INT BOOL ".s64", "Q s.b64 s.b64 ?p", SetPredicateFrom<s64>},
    {"setp" CMP_FLOAT BOOL "[.ftz].f32", "Q s.f32 s.f32 ?p", SetPredicateFrom<float>},
    {"setp" CMP_FLOAT BOOL ".f64", "Q s.f64 s.f64 ?p", SetPredicateFrom<double>},
    {"set" CMP_INT "{.u32|.s32}{.u32|.b32}", "d.b32 s.b32 s.b32", SetFrom<u32, u32>},
    {"set" CMP_INT "{.u32|.s32}.s32", "d.b32 s.b32 s.b32", SetFrom<u32, s32>},
    {"set" CMP_FLOAT "{.u32|.s32}.f32", "d.b32 s.f32 s.f32", SetFrom<u32, float>},
    {"set" CMP_FLOAT ".f32.f32", "d.b32 s.f32 s.f32", SetFrom<float, float>},
    {"selp{.b16|.u16|.s16}", "d.b16 s.b16 s.b16 p", Select<u16>},
    {"selp{.b32|.u32|.s32}", "d.b32 s.b32 s.b32 p", Select<u32>},
    {"selp.f32", "d.b32 s.f32 s.f32 p", Select<u32>},
    {"selp{.b64|.u64|.s64}", "d.b64 s.b64 s.b64 p", Select<u64>},
    {"selp.f64", "d.b64 s.f64 s.f64 p", Select<u64>},
    {"slct{.b32|.u32|.s32|.f32}.s32", "d.b32 s.b32 s.b32 s.b32", SelectBySign<u32, s32>},
    {"slct{.b64|.u64|.s64|.f64}.s32", "d.b64 s.b64 s.b64 s.b32", SelectBySign<u64, s32>},
    {"slct[.ftz]{.b32|.u32|.s32|.f32}.f32", "d.b32 s.b32 s.b32 s.f32", SelectBySign<u32, float>},

    // --- Moves and conversions.
    {"mov{.b16|.u16|.s16}", "d.b16 s.b16", Move<u16>},
    {"mov{.b32|.u32|.s32}", "d.b32 s.b32", Move<u32>},
    {"mov.f32", "d.b32 s.f32", Move<u32>},
    {"mov{.b64|.u64|.s64}", "d.b64 s.b64", Move<u64>},
    {"mov.f64", "d.b64 s.f64", Move<u64>},
    {"mov.pred", "q p", PredicateMove},
    {"mov{.b32|.u32|.s32}", "d.b32 T.b32", ReadClock<u32>, Control::kClock},
    {"mov{.b64|.u64|.s64}", "d.b64 T.b64", ReadClock<u64>, Control::kClock},
    {"mov.b32", "d.b32 P2.b16", Pack<u32, u16, 2>},
    {"mov.b64", "d.b64 P2.b32", Pack<u64, u32, 2>},
    {"mov.b64", "d.b64 P4.b16", Pack<u64, u16, 4>},
    {"mov.b32", "U2.b16 z.b32", Unpack<u32, u16, 2>},
    {"mov.b16", "d.b16 P2.b8", PackBytes},
    {"mov.b16", "U2.b8 z.b16", UnpackBytes},
    {"mov.b64", "U2.b32 z.b64", Unpack<u64, u32, 2>},
    {"mov.b64", "U4.b16 z.b64", Unpack<u64, u16, 4>},
    {"cvta[.to].global.u64", "d.b64 s.b64", ConvertAddress<0>},
    {"cvta[.to].const.u64", "d.b64 s.b64", ConvertAddress<0>},
    {"cvta[.to].shared.u64", "d.b64 s.b64", ConvertAddress<kSharedWindow>},
    {"cvta[.to].local.u64", "d.b64 s.b64", ConvertAddress<kLocalWindow>},
    {"isspacep.shared", "q s.b64", IsInWindow<kSharedWindow>},
    {"isspacep.local", "q s.b64", IsInWindow<kLocalWindow>},
    {"isspacep.global", "q s.b64", IsGlobal},

#define CVT_INT_ROWS(S, s)                                                                              \
  {"cvt[.sat].u8" s, "x.b8 y" s, ConvertInt<u8, S>}, {"cvt[.sat].s8" s, "x.b8 y" s, ConvertInt<s8, S>}, \
      {"cvt[.sat].u16" s, "x.b16 y" s, ConvertInt<u16, S>},                                             \
      {"cvt[.sat].s16" s, "x.b16 y" s, ConvertInt<s16, S>},                                             \
      {"cvt[.sat].u32" s, "x.b32 y" s, ConvertInt<u32, S>},                                             \
      {"cvt[.sat].s32" s, "x.b32 y" s, ConvertInt<s32, S>},                                             \
      {"cvt[.sat].u64" s, "x.b64 y" s, ConvertInt<u64, S>},                                             \
      {"cvt[.sat].s64" s, "x.b64 y" s, ConvertInt<s64, S>},                                             \
      {"cvt" ROUND "[.sat].f32" s, "d.b32 y" s, ConvertIntToFloat<float, S>}, {                         \
    "cvt" ROUND "[.sat].f64" s, "d.b64 y" s, ConvertIntToFloat<double, S>                               \
  }
    CVT_INT_ROWS(u8, ".u8"),
    CVT_INT_ROWS(s8, ".s8"),
    CVT_INT_ROWS(u16, ".u16"),
    CVT_INT_ROWS(s16, ".s16"),
    CVT_INT_ROWS(u32, ".u32"),
    CVT_INT_ROWS(s32, ".s32"),
    CVT_INT_ROWS(u64, ".u64"),
    CVT_INT_ROWS(s64, ".s64"),
#undef CVT_INT_ROWS
#define CVT_FLOAT_TO_INT_ROWS(S, s)                                                     \
  {"cvt" ROUND_INT "[.ftz][.sat].u8" s, "x.b8 s" s, ConvertFloatToInt<u8, S>},          \
      {"cvt" ROUND_INT "[.ftz][.sat].s8" s, "x.b8 s" s, ConvertFloatToInt<s8, S>},      \
      {"cvt" ROUND_INT "[.ftz][.sat].u16" s, "x.b16 s" s, ConvertFloatToInt<u16, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].s16" s, "x.b16 s" s, ConvertFloatToInt<s16, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].u32" s, "x.b32 s" s, ConvertFloatToInt<u32, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].s32" s, "x.b32 s" s, ConvertFloatToInt<s32, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].u64" s, "x.b64 s" s, ConvertFloatToInt<u64, S>}, { \
    "cvt" ROUND_INT "[.ftz][.sat].s64" s, "x.b64 s" s, ConvertFloatToInt<s64, S>        \
  }
    CVT_FLOAT_TO_INT_ROWS(float, ".f32"),
    CVT_FLOAT_TO_INT_ROWS(double, ".f64"),
#undef CVT_FLOAT_TO_INT_ROWS
    {"cvt" ROUND_INT "[.ftz][.sat].f32.f32", "d.b32 s.f32", ConvertFloat<float, float>},
    {"cvt" ROUND_INT "[.sat].f64.f64", "d.b64 s.f64", ConvertFloat<double, double>},
    {"cvt[.ftz][.sat].f64.f32", "d.b64 s.f32", ConvertFloat<double, float>},
    {"cvt{.rn|.rz|.rm|.rp}[.ftz][.sat].f32.f64", "d.b32 s.f64", ConvertFloat<float, double>},

// Conversions of half precision.
#define CVT_HALF_INT_ROWS(S, s)                                                                \
  {"cvt{.rn|.rz|.rm|.rp}[.sat].f16" s, "d.b16 y" s, ConvertIntToHalf<F16, S>},                 \
      {"cvt{.rn|.rz|.rm|.rp}.bf16" s, "d.b16 y" s, ConvertIntToHalf<BF16, S>},                 \
      {"cvt{.rni|.rzi|.rmi|.rpi}[.sat]" s ".f16", "x" s " s.b16", ConvertHalfToInt<S, F16>}, { \
    "cvt{.rni|.rzi|.rmi|.rpi}" s ".bf16", "x" s " s.b16", ConvertHalfToInt<S, BF16>            \
  }
    CVT_HALF_INT_ROWS(u8, ".u8"),
    CVT_HALF_INT_ROWS(s8, ".s8"),
    CVT_HALF_INT_ROWS(u16, ".u16"),
    CVT_HALF_INT_ROWS(s16, ".s16"),
    CVT_HALF_INT_ROWS(u32, ".u32"),
    CVT_HALF_INT_ROWS(s32, ".s32"),
    CVT_HALF_INT_ROWS(u64, ".u64"),
    CVT_HALF_INT_ROWS(s64, ".s64"),
#undef CVT_HALF_INT_ROWS
    {"cvt{.rn|.rz|.rm|.rp}[.ftz][.sat].f16.f32", "d.b16 s.f32", ConvertFloatToHalf<F16, float>},
    {"cvt{.rn|.rz}{.relu}.f16.f32", "d.b16 s.f32", ConvertFloatToHalf<F16, float>},
    {"cvt{.rn|.rz|.rm|.rp}[.sat].f16.f64", "d.b16 s.f64", ConvertFloatToHalf<F16, double>},
    {"cvt{.rn|.rz}[.relu].bf16.f32", "d.b16 s.f32", ConvertFloatToHalf<BF16, float>},
    {"cvt{.rm|.rp}.bf16.f32", "d.b16 s.f32", ConvertFloatToHalf<BF16, float>},
    {"cvt{.rn|.rz|.rm|.rp}.bf16.f64", "d.b16 s.f64", ConvertFloatToHalf<BF16, double>},
    {"cvt{.rn|.rz}[.relu].f16x2.f32", "d.b32 s.f32 s.f32", ConvertFloatToHalves<F16>},
    {"cvt{.rn|.rz}[.relu].bf16x2.f32", "d.b32 s.f32 s.f32", ConvertFloatToHalves<BF16>},
    {"cvt[.ftz][.sat].f32.f16", "d.b32 s.b16", ConvertHalfToFloat<float, F16>},
    {"cvt[.sat].f64.f16", "d.b64 s.b16", ConvertHalfToFloat<double, F16>},
    {"cvt.f32.bf16", "d.b32 s.b16", ConvertHalfToFloat<float, BF16>},
    {"cvt.f64.bf16", "d.b64 s.b16", ConvertHalfToFloat<double, BF16>},
    {"cvt{.rni|.rzi|.rmi|.rpi}[.sat].f16.f16", "d.b16 s.b16", RoundHalf<F16>},
    {"cvt{.rni|.rzi|.rmi|.rpi}.bf16.bf16", "d.b16 s.b16", RoundHalf<BF16>},
    {"cvt{.rna}.tf32.f32", "d.b32 s.f32", ConvertToTf32},
    {"cvt{.rn|.rz}.tf32.f32", "d.b32 s.f32", ConvertToTf32},

    // --- Memory.
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
    {"ld" LOAD_ORDER CACHE VEC "{.u8|.b8}", "v.b8 m", LoadGeneric<u8>},
    {"ld" LOAD_ORDER CACHE VEC ".s8", "v.b8 m", LoadGeneric<s8>},
    {"ld" LOAD_ORDER CACHE VEC "{.u16|.b16}", "v.b16 m", LoadGeneric<u16>},
    {"ld" LOAD_ORDER CACHE VEC ".s16", "v.b16 m", LoadGeneric<s16>},
    {"ld" LOAD_ORDER CACHE VEC "{.u32|.b32|.f32}", "v.b32 m", LoadGeneric<u32>},
    {"ld" LOAD_ORDER CACHE VEC ".s32", "v.b32 m", LoadGeneric<s32>},
    {"ld" LOAD_ORDER CACHE VEC "{.u64|.b64|.s64|.f64}", "v.b64 m", LoadGeneric<u64>},
    STORE_ROWS(".global", GlobalSpace),
    STORE_ROWS("{.shared|.shared::cta}", SharedSpace),
    STORE_ROWS(".local", LocalSpace),
    {"st" STORE_ORDER CACHE VEC "{.u8|.s8|.b8}", "m v.b8", StoreGeneric<u8>},
    {"st" STORE_ORDER CACHE VEC "{.u16|.s16|.b16}", "m v.b16", StoreGeneric<u16>},
    {"st" STORE_ORDER CACHE VEC "{.u32|.s32|.b32|.f32}", "m v.b32", StoreGeneric<u32>},
    {"st" STORE_ORDER CACHE VEC "{.u64|.s64|.b64|.f64}", "m v.b64", StoreGeneric<u64>},
    ATOMIC_ROWS(".global", ATOMIC_GLOBAL),
    ATOMIC_ROWS("{.shared|.shared::cta}", ATOMIC_SHARED),
    ATOMIC_ROWS("", ATOMIC_GENERIC),
    ATOMIC_HALF_ROWS(".global", HALF_GLOBAL),
    ATOMIC_HALF_ROWS("{.shared|.shared::cta}", HALF_SHARED),
    ATOMIC_HALF_ROWS("", HALF_GENERIC),
    {"membar{.cta|.gl|.sys}", "", Fence},
    {"fence[.sc|.acq_rel]{.cta|.gpu|.sys}", "", Fence},
    {"prefetch[.global|.local]{.L1|.L2}", "m", Nothing},
    {"prefetchu.L1", "m", Nothing},
    {"discard[.global].L2", "m i", Nothing},
    {"applypriority[.global].L2::evict_normal", "m i", Nothing},

    {"fence.proxy.async[.global|.shared::cta|.shared::cluster]", "", Nothing},
    {"fence.mbarrier_init.release.cluster", "", Nothing},

// --- Copies beside the program, and barriers in shared memory.
#define SHARED "{.shared|.shared::cta}"
    {"cp.async{.ca|.cg}" SHARED ".global[.L2::64B|.L2::128B|.L2::256B]", "m n S ?s.b32",
     CopyAsync<CopyOption::kSourceBytes>},
    {"cp.async{.ca|.cg}" SHARED ".global[.L2::64B|.L2::128B|.L2::256B]", "m n S p",
     CopyAsync<CopyOption::kIgnoreSource>},
    {"cp.async.commit_group", "", CommitCopies},
    {"cp.async.wait_group", "i", AwaitGroups},
    {"cp.async.wait_all", "", AwaitCopies},
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
    MBARRIER_ROWS(SHARED, false),
    MBARRIER_ROWS("", true),
#undef MBARRIER_ROWS
#undef SHARED
    {"mbarrier.pending_count.b64", "d.b32 s.b64", BarrierPendingCount},

    // --- Matrices.
    MATRIX_ROWS,

    // --- Lanes of a warp.
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

    // --- Control.
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
    {"bra[.uni]", "t", Nothing, Control::kBranch},
    {"ret[.uni]", "", Nothing, Control::kExit},
    {"call[.uni]", "c", Nothing, Control::kCall},
    {"exit", "", Nothing, Control::kExit},
    {"trap", "", Nothing, Control::kTrap},
    {"brkpt", "", Nothing},
    {"nanosleep.u32", "s.b32", Nothing},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
