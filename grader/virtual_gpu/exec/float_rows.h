// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Floating-Point Instructions" of the PTX ISA
// manual.
#pragma once

#include "grader/virtual_gpu/exec/arithmetic.h"
#include "grader/virtual_gpu/exec/packed_integers.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define ROUND "[.rn|.rz|.rm|.rp]"

inline constexpr InstructionRow kFloatRows[] = {
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
    {"min[.ftz][.NaN][.xorsign.abs].f32", "d.b32 s.f32 s.f32", FloatExtreme<FloatMin>},
    {"min.f64", "d.b64 s.f64 s.f64", Float2<FloatMin, double>},
    {"max[.ftz][.NaN][.xorsign.abs].f32", "d.b32 s.f32 s.f32", FloatExtreme<FloatMax>},
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
    {"rcp.approx.ftz.f64", "d.b64 s.f64", OfUpperWord<Reciprocal<double>>, Control::kNone, 1},
    {"rsqrt.approx.ftz.f64", "d.b64 s.f64", OfUpperWord<ReciprocalSquareRoot64>, Control::kNone, 1},
    {"ex2.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Exp2>, Control::kNone, 1},
    {"lg2.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Log2>, Control::kNone, 1},
    {"sin.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Sine>, Control::kNone, 1},
    {"cos.approx[.ftz].f32", "d.b32 s.f32", Float1<float, Cosine>, Control::kNone, 1},
    {"tanh.approx.f32", "d.b32 s.f32", Float1<float, HyperbolicTangent>, Control::kNone, 1},
};
#undef ROUND

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
