// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Comparison and Selection Instructions" of the PTX
// ISA manual.
#pragma once

#include "grader/virtual_gpu/exec/arithmetic.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define CMP_INT "{.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs}"
#define CMP_FLOAT "{.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan}"
#define BOOL "[.and|.or|.xor]"

inline constexpr InstructionRow kComparisonRows[] = {
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
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
