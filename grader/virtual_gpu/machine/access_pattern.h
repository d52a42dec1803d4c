// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/virtual_gpu/machine/program.h"

namespace warplings::vgpu {

/// The relative addresses of the lanes when a memory instruction was last executed. Nearly every execution
/// has the same pattern as the one before, only at another start address. What depends only on the pattern
/// (lowest and highest address, wavefronts, which words several lanes read, …) is therefore computed once and
/// cached. There is one AccessPattern for each memory instruction and host thread.
struct AccessPattern {
  /// The arrangement of consecutive lanes: groups of 8 or 16 at adjacent addresses, or all at one address.
  enum class Shape : std::uint8_t { kScattered, kSideBySide, kAtOneAddress };

  /// Indexed by lane: offset in bytes from the address of the first lane in `mask`. Unspecified for lanes
  /// outside `mask`.
  alignas(64) std::array<std::int32_t, kWarpSize> distance;
  Mask mask = 0;          ///< 0: not executed yet.
  bool is_known = false;  ///< The pattern occurred at least twice in a row, so that the members below are
                          ///< worth computing.

  std::int32_t lowest = 0, highest = 0;  ///< Smallest and largest distance.
  bool is_aligned = false;               ///< All distances are multiples of the access size.
  Shape shape = Shape::kScattered;       ///< Only for accesses by all 32 lanes.
  std::int32_t run_lanes = kWarpSize;    ///< Size of the groups to which `shape` applies: 8 or 16 lanes.

  /// Counts per request, cached for MemoryCounters. 0: not counted yet.
  struct Counts {
    std::uint32_t wavefronts = 0, conflicts = 0, passes = 0;
    /// Indexed by the position, in words, of the first lane's address in its sector.
    std::array<std::uint8_t, 8> sectors{};
  };
  Counts counts;

  /// For SharedChecks: the accessed words, counted from the lowest address, if they are few or lie close.
  struct Words {
    static constexpr int kMost = 32, kFew = 4;
    static constexpr std::uint8_t kUntouched = 0xff;
    std::int32_t count = -1;  ///< From the lowest to the highest. 0: more than kMost; -1: not known yet.
    std::int32_t few = 0;     ///< The number of different words; 0: more than kFew.
    bool are_distinct = false;
    /// By word: what the record of a read says of lanes, lane 5 | by several warps 1, lanes 2, if no other
    /// warp has read the word since the block met, and if one has. The former kUntouched: no lane's.
    std::array<std::uint8_t, kMost> read, read_after_others;
    struct One {
      std::int32_t word;
      std::uint8_t read, read_after_others;  ///< As above.
    };
    std::array<One, kFew> each_of_few;
  };
  Words words;

  /// Global memory: the region of the last access.
  std::uint64_t region_start = 0, region_bytes = 0;
};

/// The patterns of one host thread by instruction; null if not needed yet.
using AccessPatterns = std::vector<std::unique_ptr<AccessPattern>>;

}  // namespace warplings::vgpu
