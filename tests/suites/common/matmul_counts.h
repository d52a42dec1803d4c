// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/device_work.h"
#include "tests/suites/common/matmul_call.h"

namespace warplings {

/// What a kernel that multiplies matrices of this shape has to do, and may not do: DeviceWork for P.
/// `most_words`: elements of P that one thread may store at most.
///
///   least_flops      one for each of the j k l products, which is half of what they take
///   least_bytes      each element of M and N once
///   most_of_a_warp   8 instructions for each product of `most_words` elements, and 4000 for all else: one
///                    thread that computes 16 x 16 elements for others needs more
DeviceWork MatmulWork(const MatmulShape& shape, std::uint64_t most_words);

/// The sentences in which chapters/grading.md states that: `products` is "j x k x l", `inner` "k". A P that
/// may have no elements needs no loads.
enum class SizeOfP { kNeverZero, kMayBeZero };
std::vector<std::string> WorkSentences(const std::string& m, const std::string& products,
                                       const std::string& inner, std::uint64_t most_words,
                                       SizeOfP size = SizeOfP::kNeverZero);
/// And what all contracts of a product with tiles say of the values.
std::string InfinitySentence(const std::string& edge = "M's last column");

/// Most bytes that kernels with tiles may load: 2 j k l, each side rounded up to a multiple of 16. Without
/// tiles each of the j k l products asks for two floats, 8 j k l bytes; with a tile of one input only, for
/// one, more than 4 j k l. Tiles of 16 x 16 need j k l / 2, tiles of 4 x 4 just the limit, larger tiles less,
/// also where threads beyond the edge load something else. Where a side is below 16 even a kernel without
/// tiles may stay within it.
std::uint64_t TileLimit(const MatmulShape& shape);

/// Whose tiles have to be in shared memory: one factor of each product may come another way, or neither.
enum class TilesOf { kOneMatrix, kBoth };

/// The least traffic with shared memory, of which no kernel does less that takes factors of its products from
/// tiles. It is counted in wavefronts without conflicts: 32 words each, and four for a warp's float4s,
/// whether lanes have words of their own or share one. So broadcasts, vectors, ldmatrix, asynchronous copies
/// and swizzles all count as the words that lanes receive or store.
///
///   loads    A thread that computes E elements in registers, r x c of them, needs (r + c) / E words for a
///            product, or one of the two where the other factor comes another way. One word for E products
///            covers all of these. E is what a thread stores; who adds up partial sums of other threads
///            stores fewer than it computes: with 64 elements at most, of 8 x 8, a word serves four products,
///            so that E counts as 4 at least.
///   stores   What a block loads of a matrix goes into its tiles. Half of it, because a kernel that loads the
///            next tiles in advance loads some in vain; and kFreeWords are not counted, since threads beyond
///            the edges of a small matrix may load an element that they do not store.
struct SharedTraffic {
  std::uint64_t load_wavefronts = 0, store_wavefronts = 0;
};
SharedTraffic LeastSharedTraffic(const MatmulEvidence& evidence, TilesOf of);
inline constexpr std::uint64_t kFreeWords = 1024;

/// The sentences in which chapters/grading.md states these limits.
std::string SharedLoadSentence();
std::string SharedStoreSentence(TilesOf of, const std::string& m = "M");

/// Adds kWrongResult unless the kernel moves as much through shared memory as LeastSharedTraffic.
void RequireSharedTraffic(MatmulEvidence& evidence, TilesOf of);

/// Adds kWrongResult unless the kernel keeps tiles in shared memory: LeastSharedTraffic, and at most
/// TileLimit() from global memory. How well the sectors are used is not asked here.
void RequireTiles(MatmulEvidence& evidence, TilesOf of);

/// True when sectors fetched are few enough for the bytes asked for.
///
/// Where all sides are multiples of 32: at most 1.45 x the bytes / 32, over all loads from global memory. An
/// honest kernel fills every sector (1.0). A tile that is loaded across its rows takes a sector for each
/// element of a row of threads: a warp of a 16 x 16 block then fetches 16 sectors for 128 bytes instead of 4
/// (both tiles together: 2.5), of a 32 x 32 block 32 (4.5), of an 8 x 8 block 8 (1.5).
///
/// Elsewhere rows need not begin at a sector. Pieces of 8 elements touch two sectors at most, and so do the
/// shorter ones at the end of a row. Who has no vector of four there and loads its elements one by one
/// touches each sector four times. So for each row of M or N, each time that it is loaded, four times what
/// pieces of 8 and pieces of 32 have together: 5 / 8 of a sector an element. Loads across the rows take one.
bool LoadsAreCoalesced(const MatmulEvidence& evidence);

/// The sentences in which chapters/grading.md states that: of a function of `width`, and of one of j, k and
/// l.
std::vector<std::string> SectorSentences(const std::string& m, const std::string& columns_of_m,
                                         const std::string& columns_of_n);

/// "in line 31, a warp loads 128 bytes from 16 sectors of 32 bytes": the line that wastes the
/// most; empty if nothing is loaded.
Message WasteOfLoads(const TestResult& result);

/// Adds kWrongResult unless LoadsAreCoalesced, and names the line that wastes the most. Asked of every call:
/// of those that are not about it by NoteSectors, for the test that is (BrokenLimits).
void RequireCoalescedLoads(MatmulEvidence& evidence);
void NoteSectors(const MatmulEvidence& evidence);
inline constexpr const char* kSectorsLimit = "sectors";

}  // namespace warplings
