// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the instruction table. One row a form: its spelling as in the PTX ISA manual,
// its operands, what it does. Parser checks, interpreter, trace and documentation read these rows; what is
// not here is refused by name when a module is loaded. The notation is InstructionRow's. The rows themselves
// stand in the ..._rows.h, by chapters of the manual.
#pragma once

#include <algorithm>
#include <array>

#include "grader/virtual_gpu/instructions/comparison_rows.h"
#include "grader/virtual_gpu/instructions/control_rows.h"
#include "grader/virtual_gpu/instructions/conversion_rows.h"
#include "grader/virtual_gpu/instructions/float_rows.h"
#include "grader/virtual_gpu/instructions/half_rows.h"
#include "grader/virtual_gpu/instructions/integer_rows.h"
#include "grader/virtual_gpu/instructions/matrix_rows.h"
#include "grader/virtual_gpu/instructions/memory_rows.h"
#include "grader/virtual_gpu/instructions/synchronisation_rows.h"
#include "grader/virtual_gpu/instructions/texture_rows.h"
#include "grader/virtual_gpu/isa/engine.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

template <std::size_t... kCounts>
constexpr auto Join(const InstructionRow (&... parts)[kCounts]) {
  std::array<InstructionRow, (kCounts + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(parts, parts + kCounts, next)), ...);
  return all;
}

inline constexpr auto kRows =
    Join(kIntegerRows, kCarryRows, kFloatRows, kHalfRows, kComparisonRows, kHalfComparisonRows, kLogicRows,
         kMoveRows, kConversionRows, kMemoryRows, kAsyncCopyRows, kTextureRows, kSurfaceRows, kControlRows,
         kAtomicRows, kBarrierRows, kWarpRows, kMatrixRows, kVideoRows, kOtherRows);

/// In the order of kRows.
inline constexpr RowChapter kChapters[] = {
    {"Integer arithmetic", std::size(kIntegerRows)},
    {"Extended-precision integer arithmetic", std::size(kCarryRows)},
    {"Floating point", std::size(kFloatRows)},
    {"Half-precision floating point", std::size(kHalfRows)},
    {"Comparison and selection", std::size(kComparisonRows)},
    {"Half-precision comparison", std::size(kHalfComparisonRows)},
    {"Logic and shift", std::size(kLogicRows)},
    {"Data movement and conversion: moves", std::size(kMoveRows)},
    {"Data movement and conversion: conversions", std::size(kConversionRows)},
    {"Data movement and conversion: memory", std::size(kMemoryRows)},
    {"Data movement and conversion: asynchronous copies", std::size(kAsyncCopyRows)},
    {"Textures", std::size(kTextureRows)},
    {"Surfaces", std::size(kSurfaceRows)},
    {"Control flow", std::size(kControlRows)},
    {"Parallel synchronization: atomics", std::size(kAtomicRows)},
    {"Parallel synchronization: barriers and fences", std::size(kBarrierRows)},
    {"Parallel synchronization: lanes of a warp", std::size(kWarpRows)},
    {"Warp-level matrices", std::size(kMatrixRows)},
    {"Video", std::size(kVideoRows)},
    {"Miscellaneous", std::size(kOtherRows)},
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
