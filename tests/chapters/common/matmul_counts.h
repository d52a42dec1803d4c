// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "grader/core/test_result.h"
#include "grader/suite/device_work.h"
#include "tests/chapters/common/matmul_call.h"

namespace warplings {

/// What a kernel that multiplies matrices of this shape has to do, and may not do: DeviceWork for P.
/// `most_words`: elements of P that one thread may store at most.
///
///   least_flops      one for each of the j k l products, which is half of what they take
///   least_bytes      each element of M and N once
///   most_of_a_warp   8 instructions for each product of `most_words` elements, and 4000 for all else: one
///                    thread that computes 16 x 16 elements for others needs more
DeviceWork MatmulWork(const MatmulShape& shape, std::uint64_t most_words);

/// Most bytes that kernels with tiles may load: 2 j k l, each side rounded up to a multiple of 16. Without
/// tiles each of the j k l products asks for two floats, 8 j k l bytes; with a tile of one input only, for
/// one, more than 4 j k l. Tiles of 16 x 16 need j k l / 2, tiles of 4 x 4 just the limit, larger tiles less,
/// also where threads beyond the edge load something else. Where a side is below 16 even a kernel without
/// tiles may stay within it.
std::uint64_t TileLimit(const MatmulShape& shape);

/// Adds kWrongResult unless the kernel keeps tiles in shared memory: it loads from there, and at most
/// TileLimit() from global memory. How well the sectors are used is not asked here.
void RequireTiles(TestResult& result, const MatmulShape& shape);

/// True when sectors fetched are at most 1.45 x the bytes asked for / 32, over all loads from global memory.
/// With sides that are multiples of 32 an honest kernel fills every sector (1.0). A tile that is loaded
/// across its rows takes a sector for each element of a row of threads: a warp of a 16 x 16 block then
/// fetches 16 sectors for 128 bytes instead of 4 (both tiles together: 2.5), of a 32 x 32 block 32 (4.5), of
/// an 8 x 8 block 8 (1.5).
bool LoadsAreCoalesced(const TestResult& result);

/// "line 31 fetches 16 sectors of 32 bytes for a warp's request of 128 bytes": the line that wastes the most;
/// "" if nothing is loaded.
std::string WasteOfLoads(const TestResult& result);

/// Adds kWrongResult unless LoadsAreCoalesced, and names the line that wastes the most.
void RequireCoalescedLoads(TestResult& result);

}  // namespace warplings
