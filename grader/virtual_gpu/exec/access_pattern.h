// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/virtual_gpu/exec/program.h"

namespace warplings::vgpu {

/// How the lanes' addresses of one memory instruction lay to each other when it was last executed. Nearly
/// every execution has the pattern of the one before, only at another place: what follows from the pattern
/// alone (least and greatest address, wavefronts, which words several lanes read, …) is worked out once and
/// kept. There is one for each memory instruction and host thread.
struct AccessPattern {
  /// How lanes that follow each other lie: 8 or 16 of them side by side, or all at one address.
  enum class Shape : std::uint8_t { kScattered, kSideBySide, kAtOneAddress };

  /// By lane: bytes from the address of the first lane in `mask`. Outside `mask` unspecified.
  alignas(64) std::array<std::int32_t, kWarpSize> distance;
  Mask mask = 0;          ///< 0: not executed yet.
  bool is_known = false;  ///< Came at least twice in a row, so that what follows is worth its price.

  std::int32_t lowest = 0, highest = 0;  ///< Of the distances.
  bool is_aligned = false;               ///< All distances are multiples of what a lane accesses.
  Shape shape = Shape::kScattered;       ///< Of warps with all lanes.
  std::int32_t run_lanes = kWarpSize;    ///< `shape` holds for so many lanes at once: 8 or 16.

  /// For MemoryCounters, by request. 0: not counted yet.
  struct Counts {
    std::uint32_t wavefronts = 0, conflicts = 0, turns = 0;
    std::array<std::uint8_t, 8> sectors{};  ///< By the word of its sector that the first lane's address is.
  };
  Counts counts;

  /// For SharedChecks: the words from the lowest address on, one a lane, as far as they are few.
  struct Words {
    static constexpr int kMost = 32;
    static constexpr std::uint8_t kUntouched = 0xff;
    std::int32_t count = -1;  ///< 0: more than kMost; -1: not known yet.
    bool are_distinct = false;
    /// By word: what the record of a read says of lanes, lane 5 | by several warps 1, lanes 2, if no other
    /// warp has read the word since the block met, and if one has. The former kUntouched: no lane's.
    std::array<std::uint8_t, kMost> read, read_after_others;
  };
  Words words;

  /// Global memory: the region that the last access hit.
  std::uint64_t region_start = 0, region_bytes = 0;
};

/// By instruction; null where none was needed yet. Of one host thread.
using AccessPatterns = std::vector<std::unique_ptr<AccessPattern>>;

}  // namespace warplings::vgpu
