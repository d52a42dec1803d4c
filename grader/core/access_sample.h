// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// One request as it happened: which bytes each lane of one warp asked for, when one memory instruction was
/// executed. A launch has millions of them; a few are kept, to be drawn.
struct AccessSample {
  SourceLine where;
  std::string opcode;  ///< As PTX spells it: "ld.global.f32".
  MemorySpace space = MemorySpace::kGlobal;
  Access access = Access::kRead;
  Dim3 block{0, 0, 0};
  std::uint32_t warp = 0;   ///< In its block.
  std::uint32_t phase = 0;  ///< Barriers that the block had passed.
  /// Which time it is that this warp reaches the instruction, from 0.
  std::uint32_t visit = 0;
  /// A bit for each lane that takes part, also of those that were held back because they miss the object. The
  /// counts below are without these.
  std::uint32_t lanes = 0;
  std::uint32_t bytes = 0;         ///< Of one lane.
  std::string object;              ///< "M", "shared array Mds"; empty if unknown.
  std::uint64_t object_bytes = 0;  ///< 0 if unknown.
  /// Where the object begins, in bytes modulo 128: 32-byte sectors and 4-byte banks are counted from there.
  std::uint32_t start = 0;
  /// Of each lane that takes part, the lowest first: bytes from the object's start. Below 0 or from
  /// object_bytes on: not of the object.
  std::vector<std::int64_t> offsets;
  std::uint32_t sectors = 0;                    ///< Of global memory.
  std::uint32_t wavefronts = 0, conflicts = 0;  ///< Of shared memory.
  std::uint32_t passes = 0;                     ///< Of an atomic, as in Counts.
};

/// What is kept of one launch, and of all launches that are read together, at most.
inline constexpr std::size_t kMaximumAccessSamples = 2048;

}  // namespace warplings
