// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "grader/virtual_gpu/isa/instruction_row.h"
#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// A chapter of the PTX ISA manual, to which the next `rows` rows of the instruction table belong.
struct RowChapter {
  const char* title;
  std::size_t rows;
};

/// The interpreter, compiled for one x86-64 level.
struct Engine {
  const char* level;
  std::span<const InstructionRow> rows;
  std::span<const RowChapter> chapters;
  GridOutcome (*run)(const GridRequest& request);
};

extern const Engine kEngineV1, kEngineV3, kEngineV4;

/// The best engine that this processor can run (x86-64-v4: AVX-512, v3: AVX2 and FMA, v1: any).
const Engine& BestEngine();

}  // namespace warplings::vgpu
