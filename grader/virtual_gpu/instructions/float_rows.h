// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Floating-Point Instructions" of the PTX ISA
// manual.
#pragma once

#include "grader/virtual_gpu/instructions/arithmetic.h"
#include "grader/virtual_gpu/instructions/packed_integers.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define ROUND "[.rn|.rz|.rm|.rp]"

inline constexpr InstructionRow kFloatRows[] = {
    {"add" ROUND "[.ftz][.sat].f32", "dst.b32 src.f32 src.f32", Float2<Add, float>, Flops(1)},
    {"add" ROUND ".f64", "dst.b64 src.f64 src.f64", Float2<Add, double>, Flops(1)},
    {"sub" ROUND "[.ftz][.sat].f32", "dst.b32 src.f32 src.f32", Float2<Sub, float>, Flops(1)},
    {"sub" ROUND ".f64", "dst.b64 src.f64 src.f64", Float2<Sub, double>, Flops(1)},
    {"mul" ROUND "[.ftz][.sat].f32", "dst.b32 src.f32 src.f32", Float2<Mul, float>, Flops(1)},
    {"mul" ROUND ".f64", "dst.b64 src.f64 src.f64", Float2<Mul, double>, Flops(1)},
    {"fma{.rn|.rz|.rm|.rp}[.ftz][.sat].f32", "dst.b32 src.f32 src.f32 src.f32", FusedMulAdd<float>, Flops(2)},
    {"fma{.rn|.rz|.rm|.rp}.f64", "dst.b64 src.f64 src.f64 src.f64", FusedMulAdd<double>, Flops(2)},
    {"mad" ROUND "[.ftz][.sat].f32", "dst.b32 src.f32 src.f32 src.f32", FusedMulAdd<float>, Flops(2)},
    {"mad" ROUND ".f64", "dst.b64 src.f64 src.f64 src.f64", FusedMulAdd<double>, Flops(2)},
    {"div{.rn|.rz|.rm|.rp|.full}[.ftz].f32", "dst.b32 src.f32 src.f32", Float2<Div, float>, Flops(1)},
    {"div.approx[.ftz].f32", "dst.b32 src.f32 src.f32", Float2<ApproximateDiv, float>, Flops(1)},
    {"div{.rn|.rz|.rm|.rp}.f64", "dst.b64 src.f64 src.f64", Float2<Div, double>, Flops(1)},
    {"min[.ftz][.NaN][.xorsign.abs].f32", "dst.b32 src.f32 src.f32", FloatExtreme<FloatMin>},
    {"min.f64", "dst.b64 src.f64 src.f64", Float2<FloatMin, double>},
    {"max[.ftz][.NaN][.xorsign.abs].f32", "dst.b32 src.f32 src.f32", FloatExtreme<FloatMax>},
    {"max.f64", "dst.b64 src.f64 src.f64", Float2<FloatMax, double>},
    {"neg[.ftz].f32", "dst.b32 src.f32", SignBit<float, u32, 0x80000000u, 0xffffffffu>},
    {"neg.f64", "dst.b64 src.f64", SignBit<double, u64, u64(1) << 63, ~u64(0)>},
    {"abs[.ftz].f32", "dst.b32 src.f32", SignBit<float, u32, 0, 0x7fffffffu>},
    {"abs.f64", "dst.b64 src.f64", SignBit<double, u64, 0, ~(u64(1) << 63)>},
    {"testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.f32", "dst_pred src.f32",
     TestFloat<float>},
    {"testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.f64", "dst_pred src.f64",
     TestFloat<double>},
    {"copysign.f32", "dst.b32 src.f32 src.f32", CopySign<u32>},
    {"copysign.f64", "dst.b64 src.f64 src.f64", CopySign<u64>},
    {"rcp{.rn|.rz|.rm|.rp|.approx}[.ftz].f32", "dst.b32 src.f32", Float1<float, Reciprocal<float>>, Flops(1)},
    {"rcp{.rn|.rz|.rm|.rp}.f64", "dst.b64 src.f64", Float1<double, Reciprocal<double>>, Flops(1)},
    {"sqrt{.rn|.rz|.rm|.rp|.approx}[.ftz].f32", "dst.b32 src.f32", Float1<float, SquareRoot<float>>,
     Flops(1)},
    {"sqrt{.rn|.rz|.rm|.rp}.f64", "dst.b64 src.f64", Float1<double, SquareRoot<double>>, Flops(1)},
    {"rsqrt.approx[.ftz].f32", "dst.b32 src.f32", Float1<float, ReciprocalSquareRoot>, Flops(1)},
    {"rsqrt.approx.f64", "dst.b64 src.f64", Float1<double, ReciprocalSquareRoot64>, Flops(1)},
    {"rcp.approx.ftz.f64", "dst.b64 src.f64", OfUpperWord<Reciprocal<double>>, Flops(1)},
    {"rsqrt.approx.ftz.f64", "dst.b64 src.f64", OfUpperWord<ReciprocalSquareRoot64>, Flops(1)},
    {"ex2.approx[.ftz].f32", "dst.b32 src.f32", Float1<float, Exp2>, Flops(1)},
    {"lg2.approx[.ftz].f32", "dst.b32 src.f32", Float1<float, Log2>, Flops(1)},
    {"sin.approx[.ftz].f32", "dst.b32 src.f32", Float1<float, Sine>, Flops(1)},
    {"cos.approx[.ftz].f32", "dst.b32 src.f32", Float1<float, Cosine>, Flops(1)},
    {"tanh.approx.f32", "dst.b32 src.f32", Float1<float, HyperbolicTangent>, Flops(1)},
};
#undef ROUND

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
