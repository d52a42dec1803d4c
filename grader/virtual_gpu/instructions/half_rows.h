// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Half Precision Floating-Point" and "Half Precision
// Comparison Instructions" of the PTX ISA manual: f16 and bf16, single and in pairs.
#pragma once

#include "grader/virtual_gpu/instructions/comparison_rows.h"
#include "grader/virtual_gpu/instructions/half.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define HALF_ARITHMETIC_ROWS(F, n, mods, type, bits)                                                        \
  {"add[.rn]" mods type, "dst" bits " src" bits " src" bits, Half2<Add, F, n>, Flops(n)},                   \
      {"sub[.rn]" mods type, "dst" bits " src" bits " src" bits, Half2<Sub, F, n>, Flops(n)},               \
      {"mul[.rn]" mods type, "dst" bits " src" bits " src" bits, Half2<Mul, F, n>, Flops(n)}, {             \
    "fma.rn" mods type, "dst" bits " src" bits " src" bits " src" bits, HalfFusedMulAdd<F, n>, Flops(2 * n) \
  }
#define HALF_OTHER_ROWS(F, n, ftz, type, bits)                                                         \
  {"fma.rn" ftz "{.relu}" type, "dst" bits " src" bits " src" bits " src" bits, HalfFusedMulAdd<F, n>, \
   Flops(2 * n)},                                                                                      \
      {"min" ftz "[.NaN][.xorsign.abs]" type, "dst" bits " src" bits " src" bits,                      \
       HalfExtreme<FloatMin, F, n>},                                                                   \
      {"max" ftz "[.NaN][.xorsign.abs]" type, "dst" bits " src" bits " src" bits,                      \
       HalfExtreme<FloatMax, F, n>},                                                                   \
      {"neg" ftz type, "dst" bits " src" bits, HalfSign<F, n, 0x8000, 0xffff>},                        \
      {"abs" ftz type, "dst" bits " src" bits, HalfSign<F, n, 0, 0x7fff>}, {                           \
    "tanh.approx" type, "dst" bits " src" bits, Half1<F, n, HyperbolicTangent>, Flops(n)               \
  }
inline constexpr InstructionRow kHalfRows[] = {
    HALF_ARITHMETIC_ROWS(F16, 1, "[.ftz][.sat]", ".f16", ".b16"),
    HALF_ARITHMETIC_ROWS(F16, 2, "[.ftz][.sat]", ".f16x2", ".b32"),
    HALF_ARITHMETIC_ROWS(BF16, 1, "", ".bf16", ".b16"),
    HALF_ARITHMETIC_ROWS(BF16, 2, "", ".bf16x2", ".b32"),
    HALF_OTHER_ROWS(F16, 1, "[.ftz]", ".f16", ".b16"),
    HALF_OTHER_ROWS(F16, 2, "[.ftz]", ".f16x2", ".b32"),
    HALF_OTHER_ROWS(BF16, 1, "", ".bf16", ".b16"),
    HALF_OTHER_ROWS(BF16, 2, "", ".bf16x2", ".b32"),
    {"ex2.approx.f16", "dst.b16 src.b16", Half1<F16, 1, Exp2>, Flops(1)},
    {"ex2.approx.f16x2", "dst.b32 src.b32", Half1<F16, 2, Exp2>, Flops(2)},
    {"ex2.approx{.ftz}.bf16", "dst.b16 src.b16", Half1<BF16, 1, Exp2>, Flops(1)},
    {"ex2.approx{.ftz}.bf16x2", "dst.b32 src.b32", Half1<BF16, 2, Exp2>, Flops(2)},
};
#undef HALF_ARITHMETIC_ROWS
#undef HALF_OTHER_ROWS

inline constexpr InstructionRow kHalfComparisonRows[] = {
    {"setp" CMP_FLOAT BOOL "[.ftz].f16", "dst_pred src.b16 src.b16 ?src_pred", SetPredicateFromHalf<F16, 1>},
    {"setp" CMP_FLOAT BOOL "[.ftz].f16x2", "dst_pred|pred src.b32 src.b32 ?src_pred",
     SetPredicateFromHalf<F16, 2>},
    {"setp" CMP_FLOAT BOOL ".bf16", "dst_pred src.b16 src.b16 ?src_pred", SetPredicateFromHalf<BF16, 1>},
    {"setp" CMP_FLOAT BOOL ".bf16x2", "dst_pred|pred src.b32 src.b32 ?src_pred",
     SetPredicateFromHalf<BF16, 2>},
    {"set" CMP_FLOAT "[.ftz].f16.f16", "dst.b16 src.b16 src.b16", SetFromHalf<u16, F16::kOne, F16, 1>},
    {"set" CMP_FLOAT "[.ftz].f16x2.f16x2", "dst.b32 src.b32 src.b32", SetFromHalf<u16, F16::kOne, F16, 2>},
    {"set" CMP_FLOAT "[.ftz]{.u16|.s16}.f16", "dst.b16 src.b16 src.b16", SetFromHalf<u16, 0xffff, F16, 1>},
    {"set" CMP_FLOAT "[.ftz]{.u32|.s32}.f16", "dst.b32 src.b16 src.b16", SetFromHalf<u32, ~0u, F16, 1>},
    {"set" CMP_FLOAT "[.ftz]{.u32|.s32}.f16x2", "dst.b32 src.b32 src.b32", SetFromHalf<u16, 0xffff, F16, 2>},
    {"set" CMP_FLOAT ".bf16.bf16", "dst.b16 src.b16 src.b16", SetFromHalf<u16, BF16::kOne, BF16, 1>},
    {"set" CMP_FLOAT ".bf16x2.bf16x2", "dst.b32 src.b32 src.b32", SetFromHalf<u16, BF16::kOne, BF16, 2>},
    {"set" CMP_FLOAT "{.u16|.s16}.bf16", "dst.b16 src.b16 src.b16", SetFromHalf<u16, 0xffff, BF16, 1>},
    {"set" CMP_FLOAT "{.u32|.s32}.bf16", "dst.b32 src.b16 src.b16", SetFromHalf<u32, ~0u, BF16, 1>},
    {"set" CMP_FLOAT "{.u32|.s32}.bf16x2", "dst.b32 src.b32 src.b32", SetFromHalf<u16, 0xffff, BF16, 2>},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
