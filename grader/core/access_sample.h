// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// One sampled memory request: the bytes that each lane of one warp accessed when it executed one memory
/// instruction. A launch makes millions of requests; a few are kept, to be drawn.
struct AccessSample {
  SourceLine where;
  std::string opcode;  ///< PTX spelling: "ld.global.f32".
  MemorySpace space = MemorySpace::kGlobal;
  Access access = Access::kRead;
  Dim3 block{0, 0, 0};
  std::uint32_t warp = 0;   ///< Index within the block.
  std::uint32_t phase = 0;  ///< Barriers that the block had passed before.
  /// How often this warp had executed the instruction before.
  std::uint32_t visit = 0;
  /// Mask of the active lanes. It includes lanes whose access was suppressed because it lies outside the
  /// object; the counts below do not include them.
  std::uint32_t lanes = 0;
  std::uint32_t bytes = 0;         ///< Accessed by each lane.
  std::string object;              ///< "M", "shared array Mds"; empty if unknown.
  std::uint64_t object_bytes = 0;  ///< 0 if unknown.
  /// The object's start address modulo 128, from which the 32-byte sectors and 4-byte banks follow.
  std::uint32_t start = 0;
  /// For each active lane, lowest first: offset in bytes from the object's start. Below 0, or object_bytes
  /// and above: outside the object.
  std::vector<std::int64_t> offsets;
  std::uint32_t sectors = 0;                    ///< Global memory only.
  std::uint32_t wavefronts = 0, conflicts = 0;  ///< Shared memory only.
  std::uint32_t passes = 0;                     ///< Atomics only; as in Counts.
};

/// Upper limit for one launch, and for all launches whose samples are read in one request.
inline constexpr std::size_t kMaximumAccessSamples = 2048;

}  // namespace warplings
