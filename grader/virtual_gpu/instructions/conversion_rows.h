// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, the moves and conversions of "Data Movement and
// Conversion Instructions" of the PTX ISA manual.
#pragma once

#include "grader/virtual_gpu/instructions/half.h"
#include "grader/virtual_gpu/instructions/packed_integers.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define ROUND "[.rn|.rz|.rm|.rp]"
#define ROUND_INT "[.rni|.rzi|.rmi|.rpi]"

inline constexpr InstructionRow kMoveRows[] = {
    {"mov{.b16|.u16|.s16}", "dst.b16 src.b16", Move<u16>},
    {"mov{.b32|.u32|.s32}", "dst.b32 src.b32", Move<u32>},
    {"mov.f32", "dst.b32 src.f32", Move<u32>},
    {"mov{.b64|.u64|.s64}", "dst.b64 src.b64", Move<u64>},
    {"mov.f64", "dst.b64 src.f64", Move<u64>},
    {"mov.pred", "dst_pred src_pred", PredicateMove},
    {"mov{.b32|.u32|.s32}", "dst.b32 clock.b32", ReadClock<u32>, Control::kClock},
    {"mov{.b64|.u64|.s64}", "dst.b64 clock.b64", ReadClock<u64>, Control::kClock},
    {"mov.b32", "dst.b32 src_parts2.b16", Pack<u32, u16, 2>},
    {"mov.b64", "dst.b64 src_parts2.b32", Pack<u64, u32, 2>},
    {"mov.b64", "dst.b64 src_parts4.b16", Pack<u64, u16, 4>},
    {"mov.b32", "dst_parts2.b16 src_whole.b32", Unpack<u32, u16, 2>},
    {"mov.b16", "dst.b16 src_parts2.b8", PackBytes},
    {"mov.b16", "dst_parts2.b8 src_whole.b16", UnpackBytes},
    {"mov.b64", "dst_parts2.b32 src_whole.b64", Unpack<u64, u32, 2>},
    {"mov.b64", "dst_parts4.b16 src_whole.b64", Unpack<u64, u16, 4>},
    {"prmt.b32", "dst.b32 src.b32 src.b32 src.b32", Prmt},
    {"prmt.b32{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "dst.b32 src.b32 src.b32 src.b32", PermuteByMode},
};

#define CVT_INT_ROWS(S, s)                                                               \
  {"cvt[.sat].u8" s, "wide_dst.b8 wide_src" s, ConvertInt<u8, S>},                       \
      {"cvt[.sat].s8" s, "wide_dst.b8 wide_src" s, ConvertInt<s8, S>},                   \
      {"cvt[.sat].u16" s, "wide_dst.b16 wide_src" s, ConvertInt<u16, S>},                \
      {"cvt[.sat].s16" s, "wide_dst.b16 wide_src" s, ConvertInt<s16, S>},                \
      {"cvt[.sat].u32" s, "wide_dst.b32 wide_src" s, ConvertInt<u32, S>},                \
      {"cvt[.sat].s32" s, "wide_dst.b32 wide_src" s, ConvertInt<s32, S>},                \
      {"cvt[.sat].u64" s, "wide_dst.b64 wide_src" s, ConvertInt<u64, S>},                \
      {"cvt[.sat].s64" s, "wide_dst.b64 wide_src" s, ConvertInt<s64, S>},                \
      {"cvt" ROUND "[.sat].f32" s, "dst.b32 wide_src" s, ConvertIntToFloat<float, S>}, { \
    "cvt" ROUND "[.sat].f64" s, "dst.b64 wide_src" s, ConvertIntToFloat<double, S>       \
  }
#define CVT_FLOAT_TO_INT_ROWS(S, s)                                                              \
  {"cvt" ROUND_INT "[.ftz][.sat].u8" s, "wide_dst.b8 src" s, ConvertFloatToInt<u8, S>},          \
      {"cvt" ROUND_INT "[.ftz][.sat].s8" s, "wide_dst.b8 src" s, ConvertFloatToInt<s8, S>},      \
      {"cvt" ROUND_INT "[.ftz][.sat].u16" s, "wide_dst.b16 src" s, ConvertFloatToInt<u16, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].s16" s, "wide_dst.b16 src" s, ConvertFloatToInt<s16, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].u32" s, "wide_dst.b32 src" s, ConvertFloatToInt<u32, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].s32" s, "wide_dst.b32 src" s, ConvertFloatToInt<s32, S>},   \
      {"cvt" ROUND_INT "[.ftz][.sat].u64" s, "wide_dst.b64 src" s, ConvertFloatToInt<u64, S>}, { \
    "cvt" ROUND_INT "[.ftz][.sat].s64" s, "wide_dst.b64 src" s, ConvertFloatToInt<s64, S>        \
  }
#define CVT_HALF_INT_ROWS(S, s)                                                                         \
  {"cvt{.rn|.rz|.rm|.rp}[.sat].f16" s, "dst.b16 wide_src" s, ConvertIntToHalf<F16, S>},                 \
      {"cvt{.rn|.rz|.rm|.rp}.bf16" s, "dst.b16 wide_src" s, ConvertIntToHalf<BF16, S>},                 \
      {"cvt{.rni|.rzi|.rmi|.rpi}[.sat]" s ".f16", "wide_dst" s " src.b16", ConvertHalfToInt<S, F16>}, { \
    "cvt{.rni|.rzi|.rmi|.rpi}" s ".bf16", "wide_dst" s " src.b16", ConvertHalfToInt<S, BF16>            \
  }
inline constexpr InstructionRow kConversionRows[] = {
    CVT_INT_ROWS(u8, ".u8"),
    CVT_INT_ROWS(s8, ".s8"),
    CVT_INT_ROWS(u16, ".u16"),
    CVT_INT_ROWS(s16, ".s16"),
    CVT_INT_ROWS(u32, ".u32"),
    CVT_INT_ROWS(s32, ".s32"),
    CVT_INT_ROWS(u64, ".u64"),
    CVT_INT_ROWS(s64, ".s64"),
    CVT_FLOAT_TO_INT_ROWS(float, ".f32"),
    CVT_FLOAT_TO_INT_ROWS(double, ".f64"),
    {"cvt" ROUND_INT "[.ftz][.sat].f32.f32", "dst.b32 src.f32", ConvertFloat<float, float>},
    {"cvt" ROUND_INT "[.sat].f64.f64", "dst.b64 src.f64", ConvertFloat<double, double>},
    {"cvt[.ftz][.sat].f64.f32", "dst.b64 src.f32", ConvertFloat<double, float>},
    {"cvt{.rn|.rz|.rm|.rp}[.ftz][.sat].f32.f64", "dst.b32 src.f64", ConvertFloat<float, double>},
    CVT_HALF_INT_ROWS(u8, ".u8"),
    CVT_HALF_INT_ROWS(s8, ".s8"),
    CVT_HALF_INT_ROWS(u16, ".u16"),
    CVT_HALF_INT_ROWS(s16, ".s16"),
    CVT_HALF_INT_ROWS(u32, ".u32"),
    CVT_HALF_INT_ROWS(s32, ".s32"),
    CVT_HALF_INT_ROWS(u64, ".u64"),
    CVT_HALF_INT_ROWS(s64, ".s64"),
    {"cvt{.rn|.rz|.rm|.rp}[.ftz][.sat].f16.f32", "dst.b16 src.f32", ConvertFloatToHalf<F16, float>},
    {"cvt{.rn|.rz}{.relu}.f16.f32", "dst.b16 src.f32", ConvertFloatToHalf<F16, float>},
    {"cvt{.rn|.rz|.rm|.rp}[.sat].f16.f64", "dst.b16 src.f64", ConvertFloatToHalf<F16, double>},
    {"cvt{.rn|.rz}[.relu].bf16.f32", "dst.b16 src.f32", ConvertFloatToHalf<BF16, float>},
    {"cvt{.rm|.rp}.bf16.f32", "dst.b16 src.f32", ConvertFloatToHalf<BF16, float>},
    {"cvt{.rn|.rz|.rm|.rp}.bf16.f64", "dst.b16 src.f64", ConvertFloatToHalf<BF16, double>},
    {"cvt{.rn|.rz}[.relu].f16x2.f32", "dst.b32 src.f32 src.f32", ConvertFloatToHalves<F16>},
    {"cvt{.rn|.rz}[.relu].bf16x2.f32", "dst.b32 src.f32 src.f32", ConvertFloatToHalves<BF16>},
    {"cvt[.ftz][.sat].f32.f16", "dst.b32 src.b16", ConvertHalfToFloat<float, F16>},
    {"cvt[.sat].f64.f16", "dst.b64 src.b16", ConvertHalfToFloat<double, F16>},
    {"cvt.f32.bf16", "dst.b32 src.b16", ConvertHalfToFloat<float, BF16>},
    {"cvt.f64.bf16", "dst.b64 src.b16", ConvertHalfToFloat<double, BF16>},
    {"cvt{.rni|.rzi|.rmi|.rpi}[.sat].f16.f16", "dst.b16 src.b16", RoundHalf<F16>},
    {"cvt{.rni|.rzi|.rmi|.rpi}.bf16.bf16", "dst.b16 src.b16", RoundHalf<BF16>},
    {"cvt{.rna}.tf32.f32", "dst.b32 src.f32", ConvertToTf32},
    {"cvt{.rn|.rz}.tf32.f32", "dst.b32 src.f32", ConvertToTf32},
    {"cvt.pack.sat.u16.s32", "dst.b32 src.b32 src.b32", PackSaturated<u16>},
    {"cvt.pack.sat.s16.s32", "dst.b32 src.b32 src.b32", PackSaturated<s16>},
    {"cvt.pack.sat.u8.s32.b32", "dst.b32 src.b32 src.b32 src.b32", PackSaturated<u8>},
    {"cvt.pack.sat.s8.s32.b32", "dst.b32 src.b32 src.b32 src.b32", PackSaturated<s8>},
};
#undef CVT_INT_ROWS
#undef CVT_FLOAT_TO_INT_ROWS
#undef CVT_HALF_INT_ROWS
#undef ROUND
#undef ROUND_INT

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
