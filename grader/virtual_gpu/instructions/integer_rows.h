// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Integer Arithmetic", "Extended-Precision Integer
// Arithmetic", "Logic and Shift" and "Video Instructions" of the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/instructions/arithmetic.h"
#include "grader/virtual_gpu/instructions/carry.h"
#include "grader/virtual_gpu/instructions/packed_integers.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline constexpr InstructionRow kIntegerRows[] = {
    {"add{.u16|.s16}", "dst.b16 src.b16 src.b16", Int2<IntAdd, u16>},
    {"add{.u32|.s32}", "dst.b32 src.b32 src.b32", Int2<IntAdd, u32>},
    {"add{.u64|.s64}", "dst.b64 src.b64 src.b64", Int2<IntAdd, u64>},
    {"add.sat.s32", "dst.b32 src.b32 src.b32", SaturatedInt2<Add>},
    {"sub{.u16|.s16}", "dst.b16 src.b16 src.b16", Int2<IntSub, u16>},
    {"sub{.u32|.s32}", "dst.b32 src.b32 src.b32", Int2<IntSub, u32>},
    {"sub{.u64|.s64}", "dst.b64 src.b64 src.b64", Int2<IntSub, u64>},
    {"sub.sat.s32", "dst.b32 src.b32 src.b32", SaturatedInt2<Sub>},
    {"mul.lo{.u16|.s16}", "dst.b16 src.b16 src.b16", Int2<MulLow, u16>},
    {"mul.lo{.u32|.s32}", "dst.b32 src.b32 src.b32", Int2<MulLow, u32>},
    {"mul.lo{.u64|.s64}", "dst.b64 src.b64 src.b64", Int2<MulLow, u64>},
    {"mul.hi.u16", "dst.b16 src.b16 src.b16", Int2<MulHigh, u16>},
    {"mul.hi.s16", "dst.b16 src.b16 src.b16", Int2<MulHigh, s16>},
    {"mul.hi.u32", "dst.b32 src.b32 src.b32", Int2<MulHigh, u32>},
    {"mul.hi.s32", "dst.b32 src.b32 src.b32", Int2<MulHigh, s32>},
    {"mul.hi.u64", "dst.b64 src.b64 src.b64", Int2<MulHigh, u64>},
    {"mul.hi.s64", "dst.b64 src.b64 src.b64", Int2<MulHigh, s64>},
    {"mul.wide.u16", "dst.b32 src.b16 src.b16", MulWideLanes<u16>},
    {"mul.wide.s16", "dst.b32 src.b16 src.b16", MulWideLanes<s16>},
    {"mul.wide.u32", "dst.b64 src.b32 src.b32", MulWideLanes<u32>},
    {"mul.wide.s32", "dst.b64 src.b32 src.b32", MulWideLanes<s32>},
    {"mul24.lo.u32", "dst.b32 src.b32 src.b32", Int2<Mul24Low, u32>},
    {"mul24.lo.s32", "dst.b32 src.b32 src.b32", Int2<Mul24Low, s32>},
    {"mad.lo{.u16|.s16}", "dst.b16 src.b16 src.b16 src.b16", Mad<MulLow, u16>},
    {"mad.lo{.u32|.s32}", "dst.b32 src.b32 src.b32 src.b32", Mad<MulLow, u32>},
    {"mad.lo{.u64|.s64}", "dst.b64 src.b64 src.b64 src.b64", Mad<MulLow, u64>},
    {"mad.hi.u32", "dst.b32 src.b32 src.b32 src.b32", Mad<MulHigh, u32>},
    {"mad.hi.s32", "dst.b32 src.b32 src.b32 src.b32", Mad<MulHigh, s32>},
    {"mad.hi.u64", "dst.b64 src.b64 src.b64 src.b64", Mad<MulHigh, u64>},
    {"mad.hi.s64", "dst.b64 src.b64 src.b64 src.b64", Mad<MulHigh, s64>},
    {"mad.wide.u16", "dst.b32 src.b16 src.b16 src.b32", MadWide<u16>},
    {"mad.wide.s16", "dst.b32 src.b16 src.b16 src.b32", MadWide<s16>},
    {"mad.wide.u32", "dst.b64 src.b32 src.b32 src.b64", MadWide<u32>},
    {"mad.wide.s32", "dst.b64 src.b32 src.b32 src.b64", MadWide<s32>},
    {"mad24.lo.u32", "dst.b32 src.b32 src.b32 src.b32", Mad<Mul24Low, u32>},
    {"mad24.lo.s32", "dst.b32 src.b32 src.b32 src.b32", Mad<Mul24Low, s32>},
    {"sad.u32", "dst.b32 src.b32 src.b32 src.b32", Sad<u32>},
    {"sad.s32", "dst.b32 src.b32 src.b32 src.b32", Sad<s32>},
    {"div.u16", "dst.b16 src.b16 src.b16", Division<IntDiv, u16>},
    {"div.s16", "dst.b16 src.b16 src.b16", Division<IntDiv, s16>},
    {"div.u32", "dst.b32 src.b32 src.b32", Division<IntDiv, u32>},
    {"div.s32", "dst.b32 src.b32 src.b32", Division<IntDiv, s32>},
    {"div.u64", "dst.b64 src.b64 src.b64", Division<IntDiv, u64>},
    {"div.s64", "dst.b64 src.b64 src.b64", Division<IntDiv, s64>},
    {"rem.u16", "dst.b16 src.b16 src.b16", Division<IntRem, u16>},
    {"rem.s16", "dst.b16 src.b16 src.b16", Division<IntRem, s16>},
    {"rem.u32", "dst.b32 src.b32 src.b32", Division<IntRem, u32>},
    {"rem.s32", "dst.b32 src.b32 src.b32", Division<IntRem, s32>},
    {"rem.u64", "dst.b64 src.b64 src.b64", Division<IntRem, u64>},
    {"rem.s64", "dst.b64 src.b64 src.b64", Division<IntRem, s64>},
    {"min.u16", "dst.b16 src.b16 src.b16", Int2<IntMin, u16>},
    {"min.s16", "dst.b16 src.b16 src.b16", Int2<IntMin, s16>},
    {"min.u32", "dst.b32 src.b32 src.b32", Int2<IntMin, u32>},
    {"min.s32", "dst.b32 src.b32 src.b32", Int2<IntMin, s32>},
    {"min.u64", "dst.b64 src.b64 src.b64", Int2<IntMin, u64>},
    {"min.s64", "dst.b64 src.b64 src.b64", Int2<IntMin, s64>},
    {"max.u16", "dst.b16 src.b16 src.b16", Int2<IntMax, u16>},
    {"max.s16", "dst.b16 src.b16 src.b16", Int2<IntMax, s16>},
    {"max.u32", "dst.b32 src.b32 src.b32", Int2<IntMax, u32>},
    {"max.s32", "dst.b32 src.b32 src.b32", Int2<IntMax, s32>},
    {"max.u64", "dst.b64 src.b64 src.b64", Int2<IntMax, u64>},
    {"max.s64", "dst.b64 src.b64 src.b64", Int2<IntMax, s64>},
    {"neg.s16", "dst.b16 src.b16", Neg<s16>},
    {"neg.s32", "dst.b32 src.b32", Neg<s32>},
    {"neg.s64", "dst.b64 src.b64", Neg<s64>},
    {"abs.s16", "dst.b16 src.b16", Abs<s16>},
    {"abs.s32", "dst.b32 src.b32", Abs<s32>},
    {"abs.s64", "dst.b64 src.b64", Abs<s64>},
    {"bmsk{.clamp|.wrap}.b32", "dst.b32 src.b32 src.b32", BitMask},
    {"szext{.clamp|.wrap}.u32", "dst.b32 src.b32 src.b32", ExtendFrom<u32>},
    {"szext{.clamp|.wrap}.s32", "dst.b32 src.b32 src.b32", ExtendFrom<s32>},
    {"fns.b32", "dst.b32 src.b32 src.b32 src.b32", FindNthSet},
    {"bfe.u32", "dst.b32 src.b32 src.b32 src.b32", Bfe<u32>},
    {"bfe.s32", "dst.b32 src.b32 src.b32 src.b32", Bfe<s32>},
    {"bfe.u64", "dst.b64 src.b64 src.b32 src.b32", Bfe<u64>},
    {"bfe.s64", "dst.b64 src.b64 src.b32 src.b32", Bfe<s64>},
    {"bfi.b32", "dst.b32 src.b32 src.b32 src.b32 src.b32", Bfi<u32>},
    {"bfi.b64", "dst.b64 src.b64 src.b64 src.b32 src.b32", Bfi<u64>},
    {"popc.b32", "dst.b32 src.b32", PopCount<u32>},
    {"popc.b64", "dst.b32 src.b64", PopCount<u64>},
    {"clz.b32", "dst.b32 src.b32", LeadingZeros<u32>},
    {"clz.b64", "dst.b32 src.b64", LeadingZeros<u64>},
    {"brev.b32", "dst.b32 src.b32", Brev<u32>},
    {"brev.b64", "dst.b64 src.b64", Brev<u64>},
    {"bfind.shiftamt.u32", "dst.b32 src.b32", BfindShift<u32>},
    {"bfind.shiftamt.s32", "dst.b32 src.b32", BfindShift<s32>},
    {"bfind.shiftamt.u64", "dst.b32 src.b64", BfindShift<u64>},
    {"bfind.shiftamt.s64", "dst.b32 src.b64", BfindShift<s64>},
    {"bfind.u32", "dst.b32 src.b32", Bfind<u32>},
    {"bfind.s32", "dst.b32 src.b32", Bfind<s32>},
    {"bfind.u64", "dst.b32 src.b64", Bfind<u64>},
    {"bfind.s64", "dst.b32 src.b64", Bfind<s64>},
    {"dp4a.u32.u32", "dst.b32 src.b32 src.b32 src.b32", DotBytes<u8, u8>},
    {"dp4a.u32.s32", "dst.b32 src.b32 src.b32 src.b32", DotBytes<u8, s8>},
    {"dp4a.s32.u32", "dst.b32 src.b32 src.b32 src.b32", DotBytes<s8, u8>},
    {"dp4a.s32.s32", "dst.b32 src.b32 src.b32 src.b32", DotBytes<s8, s8>},
    {"dp2a{.lo|.hi}.u32.u32", "dst.b32 src.b32 src.b32 src.b32", DotHalves<u16, u8>},
    {"dp2a{.lo|.hi}.u32.s32", "dst.b32 src.b32 src.b32 src.b32", DotHalves<u16, s8>},
    {"dp2a{.lo|.hi}.s32.u32", "dst.b32 src.b32 src.b32 src.b32", DotHalves<s16, u8>},
    {"dp2a{.lo|.hi}.s32.s32", "dst.b32 src.b32 src.b32 src.b32", DotHalves<s16, s8>},
    {"add{.u16x2|.s16x2}", "dst.b32 src.b32 src.b32", Int16Pair<IntAdd, u16>},
    {"min.u16x2", "dst.b32 src.b32 src.b32", Int16Pair<IntMin, u16>},
    {"min.s16x2[.relu]", "dst.b32 src.b32 src.b32", Int16Pair<IntMin, s16>},
    {"max.u16x2", "dst.b32 src.b32 src.b32", Int16Pair<IntMax, u16>},
    {"max.s16x2[.relu]", "dst.b32 src.b32 src.b32", Int16Pair<IntMax, s16>},
};

#define CARRY_ROWS(T, S, types, bits)                                                              \
  {"add.cc" types, "dst" bits " src" bits " src" bits " carry", AddCarry<T, Carry::kOut>},         \
      {"addc" types, "dst" bits " src" bits " src" bits " carry", AddCarry<T, Carry::kIn>},        \
      {"addc.cc" types, "dst" bits " src" bits " src" bits " carry", AddCarry<T, Carry::kInOut>},  \
      {"sub.cc" types, "dst" bits " src" bits " src" bits " carry", SubBorrow<T, Carry::kOut>},    \
      {"subc" types, "dst" bits " src" bits " src" bits " carry", SubBorrow<T, Carry::kIn>},       \
      {"subc.cc" types, "dst" bits " src" bits " src" bits " carry", SubBorrow<T, Carry::kInOut>}, \
      {"mad.lo.cc" types, "dst" bits " src" bits " src" bits " src" bits " carry",                 \
       MadCarry<MulLow, T, Carry::kOut>},                                                          \
      {"madc.lo" types, "dst" bits " src" bits " src" bits " src" bits " carry",                   \
       MadCarry<MulLow, T, Carry::kIn>},                                                           \
      {"madc.lo.cc" types, "dst" bits " src" bits " src" bits " src" bits " carry",                \
       MadCarry<MulLow, T, Carry::kInOut>},                                                        \
      MAD_HIGH_CARRY_ROWS(T, "." #T, bits), MAD_HIGH_CARRY_ROWS(S, "." #S, bits)
#define MAD_HIGH_CARRY_ROWS(T, type, bits)                                      \
  {"mad.hi.cc" type, "dst" bits " src" bits " src" bits " src" bits " carry",   \
   MadCarry<MulHigh, T, Carry::kOut>},                                          \
      {"madc.hi" type, "dst" bits " src" bits " src" bits " src" bits " carry", \
       MadCarry<MulHigh, T, Carry::kIn>},                                       \
  {                                                                             \
    "madc.hi.cc" type, "dst" bits " src" bits " src" bits " src" bits " carry", \
        MadCarry<MulHigh, T, Carry::kInOut>                                     \
  }
inline constexpr InstructionRow kCarryRows[] = {
    CARRY_ROWS(u32, s32, "{.u32|.s32}", ".b32"),
    CARRY_ROWS(u64, s64, "{.u64|.s64}", ".b64"),
};
#undef CARRY_ROWS
#undef MAD_HIGH_CARRY_ROWS

inline constexpr InstructionRow kLogicRows[] = {
    {"and.b16", "dst.b16 src.b16 src.b16", Int2<And, u16>},
    {"and.b32", "dst.b32 src.b32 src.b32", Int2<And, u32>},
    {"and.b64", "dst.b64 src.b64 src.b64", Int2<And, u64>},
    {"and.pred", "dst_pred src_pred src_pred", Predicate2<And>},
    {"or.b16", "dst.b16 src.b16 src.b16", Int2<Or, u16>},
    {"or.b32", "dst.b32 src.b32 src.b32", Int2<Or, u32>},
    {"or.b64", "dst.b64 src.b64 src.b64", Int2<Or, u64>},
    {"or.pred", "dst_pred src_pred src_pred", Predicate2<Or>},
    {"xor.b16", "dst.b16 src.b16 src.b16", Int2<Xor, u16>},
    {"xor.b32", "dst.b32 src.b32 src.b32", Int2<Xor, u32>},
    {"xor.b64", "dst.b64 src.b64 src.b64", Int2<Xor, u64>},
    {"xor.pred", "dst_pred src_pred src_pred", Predicate2<Xor>},
    {"not.b16", "dst.b16 src.b16", Not<u16>},
    {"not.b32", "dst.b32 src.b32", Not<u32>},
    {"not.b64", "dst.b64 src.b64", Not<u64>},
    {"not.pred", "dst_pred src_pred", PredicateNot},
    {"cnot.b16", "dst.b16 src.b16", LogicalNot<u16>},
    {"cnot.b32", "dst.b32 src.b32", LogicalNot<u32>},
    {"cnot.b64", "dst.b64 src.b64", LogicalNot<u64>},
    {"lop3.b32", "dst.b32 src.b32 src.b32 src.b32 constant", Lop3},
    {"shl.b16", "dst.b16 src.b16 src.b32", Shift<ShiftLeft, u16>},
    {"shl.b32", "dst.b32 src.b32 src.b32", Shift<ShiftLeft, u32>},
    {"shl.b64", "dst.b64 src.b64 src.b32", Shift<ShiftLeft, u64>},
    {"shr{.b16|.u16}", "dst.b16 src.b16 src.b32", Shift<ShiftRight, u16>},
    {"shr.s16", "dst.b16 src.b16 src.b32", Shift<ShiftRight, s16>},
    {"shr{.b32|.u32}", "dst.b32 src.b32 src.b32", Shift<ShiftRight, u32>},
    {"shr.s32", "dst.b32 src.b32 src.b32", Shift<ShiftRight, s32>},
    {"shr{.b64|.u64}", "dst.b64 src.b64 src.b32", Shift<ShiftRight, u64>},
    {"shr.s64", "dst.b64 src.b64 src.b32", Shift<ShiftRight, s64>},
    {"shf.l{.clamp|.wrap}.b32", "dst.b32 src.b32 src.b32 src.b32", ShfLeft},
    {"shf.r{.clamp|.wrap}.b32", "dst.b32 src.b32 src.b32 src.b32", ShfRight},
};

inline constexpr InstructionRow kVideoRows[] = {
    {"vabsdiff2.u32.u32.u32[.add]", "dst.b32 src.b32 src.b32 src.b32", AbsoluteDifferences<u16>},
    {"vabsdiff2.u32.s32.s32[.add]", "dst.b32 src.b32 src.b32 src.b32", AbsoluteDifferences<s16>},
    {"vabsdiff4.u32.u32.u32[.add]", "dst.b32 src.b32 src.b32 src.b32", AbsoluteDifferences<u8>},
    {"vabsdiff4.u32.s32.s32[.add]", "dst.b32 src.b32 src.b32 src.b32", AbsoluteDifferences<s8>},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
