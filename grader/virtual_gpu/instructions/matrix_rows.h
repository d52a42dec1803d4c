// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the instruction table's rows of matrix.h. Shapes and types are those that
// nvcuda::wmma emits, and the mma.sync forms of the same element types.
#pragma once

#include "grader/virtual_gpu/instructions/matrix.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

#define MATRIX_SPACE "[.global|.shared|.shared::cta]"
#define MATRIX_LOAD(which, shape, type, count, bits, fragment, T)                          \
  {                                                                                        \
    "wmma.load." which ".sync.aligned{.row|.col}." shape MATRIX_SPACE type,                \
        "dst_list" #count bits " address." #T " ?src.b32", MatrixLoad<fragment, T, count>, \
        Reads(StateSpace::kByWord)                                                         \
  }
#define MATRIX_STORE(shape, type, count, bits, fragment, T)                                 \
  {                                                                                         \
    "wmma.store.d.sync.aligned{.row|.col}." shape MATRIX_SPACE type,                        \
        "address." #T " src_list" #count bits " ?src.b32", MatrixStore<fragment, T, count>, \
        Writes(StateSpace::kByWord)                                                         \
  }
#define MATRIX_MOVES(shape, type, count, bits, fragment, T) \
  MATRIX_LOAD("c", shape, type, count, bits, fragment, T), MATRIX_STORE(shape, type, count, bits, fragment, T)
/// `flops` of a lane: 2 MNK / 32.
#define MATRIX_MMA(shape, types, operands, flops, ...)                                                 \
  {                                                                                                    \
    "wmma.mma.sync.aligned{.row|.col}{.row|.col}." shape types, operands, MatrixMultiply<__VA_ARGS__>, \
        Flops(flops)                                                                                   \
  }
#define MATRIX_SYNC(form, operands, flops, ...) \
  { "mma.sync.aligned." form, operands, MatrixMultiply<__VA_ARGS__>, Flops(flops) }

/// One of the three shapes with K = 16: fragments of halves (HA, HB), of bytes (BA, BB), and of sums; the
/// registers that bf16 (nA, nB) and bytes (mA, mB) take.
#define MATRIX_SHAPE_ROWS(shape, HA, nA, HB, nB, BA, mA, BB, mB, Sum)                                        \
  MATRIX_LOAD("a", shape, ".f16", 8, ".b32", HA, u16), MATRIX_LOAD("b", shape, ".f16", 8, ".b32", HB, u16),  \
      MATRIX_LOAD("a", shape, ".bf16", nA, ".b32", HA, u16),                                                 \
      MATRIX_LOAD("b", shape, ".bf16", nB, ".b32", HB, u16),                                                 \
      MATRIX_LOAD("a", shape, "{.s8|.u8}", mA, ".b32", BA, u8),                                              \
      MATRIX_LOAD("b", shape, "{.s8|.u8}", mB, ".b32", BB, u8),                                              \
      MATRIX_MOVES(shape, ".f16", 4, ".b32", Sum, u16), MATRIX_MOVES(shape, ".f32", 8, ".b32", Sum, u32),    \
      MATRIX_MOVES(shape, ".s32", 8, ".b32", Sum, u32),                                                      \
      MATRIX_MMA(shape, ".f32.f32", "dst_list8.b32 src_list8.b32 src_list8.b32 src_list8.b32", 256, HA,      \
                 HalfElement, 8, HB, HalfElement, 8, Sum, FloatSum, FloatSum),                               \
      MATRIX_MMA(shape, ".f16.f16", "dst_list4.b32 src_list8.b32 src_list8.b32 src_list4.b32", 256, HA,      \
                 HalfElement, 8, HB, HalfElement, 8, Sum, HalfSum, HalfSum),                                 \
      MATRIX_MMA(shape, ".f32.f16", "dst_list8.b32 src_list8.b32 src_list8.b32 src_list4.b32", 256, HA,      \
                 HalfElement, 8, HB, HalfElement, 8, Sum, FloatSum, HalfSum),                                \
      MATRIX_MMA(shape, ".f16.f32", "dst_list4.b32 src_list8.b32 src_list8.b32 src_list8.b32", 256, HA,      \
                 HalfElement, 8, HB, HalfElement, 8, Sum, HalfSum, FloatSum),                                \
      MATRIX_MMA(shape, ".f32.bf16.bf16.f32",                                                                \
                 "dst_list8.b32 src_list" #nA ".b32 src_list" #nB ".b32 src_list8.b32", 256, HA,             \
                 BrainElement, nA, HB, BrainElement, nB, Sum, FloatSum, FloatSum),                           \
      MATRIX_MMA(shape, ".s32.s8.s8.s32[.satfinite]",                                                        \
                 "dst_list8.b32 src_list" #mA ".b32 src_list" #mB ".b32 src_list8.b32", 256, BA, SignedByte, \
                 mA, BB, SignedByte, mB, Sum, IntSum, IntSum),                                               \
      MATRIX_MMA(shape, ".s32.u8.u8.s32[.satfinite]",                                                        \
                 "dst_list8.b32 src_list" #mA ".b32 src_list" #mB ".b32 src_list8.b32", 256, BA,             \
                 UnsignedByte, mA, BB, UnsignedByte, mB, Sum, IntSum, IntSum)

#define MATRIX_BYTE_SYNC(form, type, E, A, nA, B, nB, flops)                                                \
  MATRIX_SYNC(form ".row.col[.satfinite].s32" type type ".s32",                                             \
              "dst_list4.b32 src_list" #nA ".b32 src_list" #nB ".b32 src_list4.b32", flops, A, E, nA, B, E, \
              nB, kSum16x8, IntSum, IntSum)

// clang-format off
#define MATRIX_ROWS                                                                                            \
  MATRIX_SHAPE_ROWS("m16n16k16", kHalfA16, 4, kHalfB16, 4, kByteA16, 2, kByteB16, 2, kSum16x16),               \
  MATRIX_SHAPE_ROWS("m32n8k16", kHalfA32, 8, kHalfB8, 2, kByteA32, 4, kByteB8, 1, kSum32x8),                   \
  MATRIX_SHAPE_ROWS("m8n32k16", kHalfA8, 2, kHalfB32, 8, kByteA8, 1, kByteB32, 4, kSum8x32),                   \
  MATRIX_LOAD("a", "m16n16k8", ".tf32", 4, ".b32", kWordA16, u32),                                             \
  MATRIX_LOAD("b", "m16n16k8", ".tf32", 4, ".b32", kWordB16, u32),                                             \
  MATRIX_MOVES("m16n16k8", ".f32", 8, ".b32", kSum16x16, u32),                                                 \
  MATRIX_MMA("m16n16k8", ".f32.tf32.tf32.f32", "dst_list8.b32 src_list4.b32 src_list4.b32 src_list8.b32", 128, kWordA16, Tf32Element, 4,   \
             kWordB16, Tf32Element, 4, kSum16x16, FloatSum, FloatSum),                                         \
  MATRIX_LOAD("a", "m8n8k4", ".f64", 1, ".b64", kDoubleA, u64),                                                \
  MATRIX_LOAD("b", "m8n8k4", ".f64", 1, ".b64", kDoubleB, u64),                                                \
  MATRIX_MOVES("m8n8k4", ".f64", 2, ".b64", kSum8x8, u64),                                                     \
  MATRIX_MMA("m8n8k4", "[.rn].f64.f64.f64.f64[.rn]", "dst_list2.b64 src_list1.b64 src_list1.b64 src_list2.b64", 16, kDoubleA,              \
             DoubleElement, 1, kDoubleB, DoubleElement, 1, kSum8x8, DoubleSum, DoubleSum),                     \
  MATRIX_SYNC("m16n8k16.row.col.f32.f16.f16.f32", "dst_list4.b32 src_list4.b32 src_list2.b32 src_list4.b32", 128, kHalfA16, HalfElement, 4,\
              kHalfB8, HalfElement, 2, kSum16x8, FloatSum, FloatSum),                                          \
  MATRIX_SYNC("m16n8k16.row.col.f16.f16.f16.f16", "dst_list2.b32 src_list4.b32 src_list2.b32 src_list2.b32", 128, kHalfA16, HalfElement, 4,\
              kHalfB8, HalfElement, 2, kSum16x8, HalfSum, HalfSum),                                            \
  MATRIX_SYNC("m16n8k16.row.col.f32.bf16.bf16.f32", "dst_list4.b32 src_list4.b32 src_list2.b32 src_list4.b32", 128, kHalfA16,              \
              BrainElement, 4, kHalfB8, BrainElement, 2, kSum16x8, FloatSum, FloatSum),                        \
  MATRIX_SYNC("m16n8k8.row.col.f32.f16.f16.f32", "dst_list4.b32 src_list2.b32 src_list1.b32 src_list4.b32", 64, kHalfA16x8, HalfElement, 2,\
              kHalfB8x8, HalfElement, 1, kSum16x8, FloatSum, FloatSum),                                        \
  MATRIX_SYNC("m16n8k8.row.col.f16.f16.f16.f16", "dst_list2.b32 src_list2.b32 src_list1.b32 src_list2.b32", 64, kHalfA16x8, HalfElement, 2,\
              kHalfB8x8, HalfElement, 1, kSum16x8, HalfSum, HalfSum),                                          \
  MATRIX_SYNC("m16n8k8.row.col.f32.bf16.bf16.f32", "dst_list4.b32 src_list2.b32 src_list1.b32 src_list4.b32", 64, kHalfA16x8,              \
              BrainElement, 2, kHalfB8x8, BrainElement, 1, kSum16x8, FloatSum, FloatSum),                      \
  MATRIX_SYNC("m16n8k8.row.col.f32.tf32.tf32.f32", "dst_list4.b32 src_list4.b32 src_list2.b32 src_list4.b32", 64, kWordA16, Tf32Element, 4,\
              kWordB8, Tf32Element, 2, kSum16x8, FloatSum, FloatSum),                                          \
  MATRIX_SYNC("m16n8k4.row.col.f32.tf32.tf32.f32", "dst_list4.b32 src_list2.b32 src_list1.b32 src_list4.b32", 32, kWordA16x4,              \
              Tf32Element, 2, kWordB8x4, Tf32Element, 1, kSum16x8, FloatSum, FloatSum),                        \
  MATRIX_SYNC("m8n8k4.row.col.f64.f64.f64.f64", "dst_list2.b64 src_list1.b64 src_list1.b64 src_list2.b64", 16, kDoubleA, DoubleElement, 1, \
              kDoubleB, DoubleElement, 1, kSum8x8, DoubleSum, DoubleSum),                                      \
  MATRIX_BYTE_SYNC("m16n8k16", ".s8", SignedByte, kByteA16, 2, kByteB8, 1, 128),                               \
  MATRIX_BYTE_SYNC("m16n8k16", ".u8", UnsignedByte, kByteA16, 2, kByteB8, 1, 128),                             \
  MATRIX_BYTE_SYNC("m16n8k32", ".s8", SignedByte, kByteA16x32, 4, kByteB8x32, 2, 256),                         \
  MATRIX_BYTE_SYNC("m16n8k32", ".u8", UnsignedByte, kByteA16x32, 4, kByteB8x32, 2, 256),                       \
  {"ldmatrix.sync.aligned.m8n8.x1[.trans]{.shared|.shared::cta}.b16", "dst_list1.b32 address.b16", LoadMatrices<1>, Reads(StateSpace::kShared)},            \
  {"ldmatrix.sync.aligned.m8n8.x2[.trans]{.shared|.shared::cta}.b16", "dst_list2.b32 address.b16", LoadMatrices<2>, Reads(StateSpace::kShared)},            \
  {"ldmatrix.sync.aligned.m8n8.x4[.trans]{.shared|.shared::cta}.b16", "dst_list4.b32 address.b16", LoadMatrices<4>, Reads(StateSpace::kShared)}
// clang-format on

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline constexpr InstructionRow kMatrixRows[] = {MATRIX_ROWS};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
