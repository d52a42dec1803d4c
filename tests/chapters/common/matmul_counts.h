// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/core/exercise_result.h"
#include "tests/chapters/common/matmul_call.h"

namespace warplings {

/// Sectors of 32 bytes that a kernel with 16 x 16 tiles loads from global memory, where each side is a
/// multiple of 16 and rows start on a sector's boundary: 64 bytes, 2 sectors, for a row of a tile, so
///
///     (j/16 x l/16) blocks x k/16 phases x 2 tiles x 16 rows x 2 sectors  =  j k l / 64
///
/// (j x k times k x l).
std::uint64_t TiledSectors(const MatmulShape& shape);

/// Adds kWrongResult unless the kernel keeps tiles in shared memory: it loads from there, and from global
/// memory at most 2 x TiledSectors, j k l / 32. That separates: an input that is not tiled costs each of the
/// j l / 32 warps at least one sector for each of k products, which is j k l / 32 already, and the other
/// input costs something, too. (By rows it is 2 sectors or more: a warp of a 16 x 16 block has two rows of P.
/// Without any tile a 16 x 16 block needs 2 + 2 sectors, j k l / 8.) Larger tiles need fewer sectors; tiles
/// of 8 x 8 need just the limit, and pass.
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
