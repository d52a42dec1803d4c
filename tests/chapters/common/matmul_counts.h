// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/core/exercise_result.h"
#include "tests/chapters/common/matmul_call.h"

namespace warplings {

/// Bytes that the threads of a kernel with 16 x 16 tiles ask for in global memory, where each side is a
/// multiple of 16 (j x k times k x l):
///
///     (j/16 x l/16) blocks x k/16 phases x 2 tiles x 1024 bytes  =  j k l / 2
std::uint64_t TiledBytes(const MatmulShape& shape);

/// Adds kWrongResult unless the kernel keeps tiles in shared memory: it loads from there, and asks for at
/// most 2 x TiledBytes, j k l bytes, in global memory. Without tiles each of the j k l products asks for two
/// floats, 8 j k l bytes; with a tile of one input only, for one, more than 4 j k l. Larger tiles need less;
/// tiles of 8 x 8 need just the limit, and pass. How well the sectors are used is not asked here.
void RequireTiles(TestResult& result, const MatmulShape& shape);

/// True when sectors fetched are at most 1.25 x the bytes asked for / 32, over all loads from global memory.
/// With sides that are multiples of 32 an honest kernel fills every sector (1.0). A tile that is loaded
/// across its rows takes a sector for each element of a row of threads: a warp of a 16 x 16 block then
/// fetches 16 sectors for 128 bytes instead of 4 (both tiles together: 2.5), of a 32 x 32 block 32 (4.5), of
/// an 8 x 8 block 8 (1.5).
bool LoadsAreCoalesced(const TestResult& result);

/// Adds kWrongResult unless they are, and names the line that wastes most.
void RequireCoalescedLoads(TestResult& result);

}  // namespace warplings
