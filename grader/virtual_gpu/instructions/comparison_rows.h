// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Comparison and Selection Instructions" of the PTX
// ISA manual.
#pragma once

#include "grader/virtual_gpu/instructions/arithmetic.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define CMP_INT "{.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs}"
#define CMP_FLOAT "{.eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan}"
#define BOOL "[.and|.or|.xor]"

inline constexpr InstructionRow kComparisonRows[] = {
    {"setp" CMP_INT BOOL "{.u16|.b16}", "dst_pred|pred src.b16 src.b16 ?src_pred", SetPredicateFrom<u16>},
    {"setp" CMP_INT BOOL ".s16", "dst_pred|pred src.b16 src.b16 ?src_pred", SetPredicateFrom<s16>},
    {"setp" CMP_INT BOOL "{.u32|.b32}", "dst_pred|pred src.b32 src.b32 ?src_pred", SetPredicateFrom<u32>},
    {"setp" CMP_INT BOOL ".s32", "dst_pred|pred src.b32 src.b32 ?src_pred", SetPredicateFrom<s32>},
    {"setp" CMP_INT BOOL "{.u64|.b64}", "dst_pred|pred src.b64 src.b64 ?src_pred", SetPredicateFrom<u64>},
    {"setp" CMP_INT BOOL ".s64", "dst_pred|pred src.b64 src.b64 ?src_pred", SetPredicateFrom<s64>},
    {"setp" CMP_FLOAT BOOL "[.ftz].f32", "dst_pred|pred src.f32 src.f32 ?src_pred", SetPredicateFrom<float>},
    {"setp" CMP_FLOAT BOOL ".f64", "dst_pred|pred src.f64 src.f64 ?src_pred", SetPredicateFrom<double>},
    {"set" CMP_INT "{.u32|.s32}{.u32|.b32}", "dst.b32 src.b32 src.b32", SetFrom<u32, u32>},
    {"set" CMP_INT "{.u32|.s32}.s32", "dst.b32 src.b32 src.b32", SetFrom<u32, s32>},
    {"set" CMP_FLOAT "{.u32|.s32}.f32", "dst.b32 src.f32 src.f32", SetFrom<u32, float>},
    {"set" CMP_FLOAT ".f32.f32", "dst.b32 src.f32 src.f32", SetFrom<float, float>},
    {"selp{.b16|.u16|.s16}", "dst.b16 src.b16 src.b16 src_pred", Select<u16>},
    {"selp{.b32|.u32|.s32}", "dst.b32 src.b32 src.b32 src_pred", Select<u32>},
    {"selp.f32", "dst.b32 src.f32 src.f32 src_pred", Select<u32>},
    {"selp{.b64|.u64|.s64}", "dst.b64 src.b64 src.b64 src_pred", Select<u64>},
    {"selp.f64", "dst.b64 src.f64 src.f64 src_pred", Select<u64>},
    {"slct{.b32|.u32|.s32|.f32}.s32", "dst.b32 src.b32 src.b32 src.b32", SelectBySign<u32, s32>},
    {"slct{.b64|.u64|.s64|.f64}.s32", "dst.b64 src.b64 src.b64 src.b32", SelectBySign<u64, s32>},
    {"slct[.ftz]{.b32|.u32|.s32|.f32}.f32", "dst.b32 src.b32 src.b32 src.f32", SelectBySign<u32, float>},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
