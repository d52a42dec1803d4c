// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grader/suite/suite_messages.h"
#include "tests/suites/06_coarsening/matmul_call.h"

namespace warplings::fast_matmul {

/// Of the tests that count: a multiple of every likely tile, so that no tile is partial, and large enough for
/// several of them side by side.
inline bool IsCountedWidth(int width) {
  return width >= 256 && width % 128 == 0;
}

/// What a fast kernel needs at most at this width W, for its W^3 products. A warp multiplies and adds 32 of
/// them in an instruction: W^3 / 32 of those. All limits hold for larger tiles and patches, too.
///
///   shared_requests  loads of a warp from shared memory. A patch of r x c elements per thread needs
///                    (r + c) / 4 vector loads for r c multiply-adds: 4 x 4 an eighth, 8 x 8 a sixteenth.
///                    Without vector loads 8 x 8 need a quarter, and one element per thread two. The limit
///                    is an eighth.
///   conflicts        eight adjacent columns per thread make two float4 loads of N conflict (two rounds
///                    instead of one), while those of M are one address for a quarter of a warp: 4 conflicts
///                    on 12 wavefronts. The limit is an eighth of the wavefronts without conflicts: a
///                    transposing store, which happens once a phase, may have some.
///   sectors          a tile of T x T elements of P loads 2 T W floats: 8 W^3 / T bytes in all. The limit is
///                    that of T = 64; T = 32 needs twice as many.
///   barriers         arrivals of warps. With 8 x 8 elements and steps of 8 a warp has 512 multiply-adds per
///                    phase; with two sets of tiles one barrier per phase is enough. The limit is one for
///                    384, so that a barrier before the first phase and one after the last are free.
struct Limits {
  std::uint64_t shared_requests, sectors, barriers;
};
Limits LimitsOf(int width);

/// An eighth of the wavefronts that would be needed without conflicts.
std::uint64_t ConflictLimit(const Counts& counts);
/// A quarter and a few more, where tiles may be partial.
std::uint64_t PartialConflictLimit(const Counts& counts);
std::uint64_t Conflicts(const Counts& counts);

/// Lines of the source at whose barriers warps arrive in every phase: at least half as often as at the one
/// where they arrive most. 0: no line is known.
int BarrierLines(const MatmulEvidence& e);

/// What the counted test saw besides its result.
struct Seen {
  std::vector<MatmulEvidence> all;
  std::vector<KernelResources> resources;
};

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/06_coarsening shows, and by what it is told from the others:
///
///   unaligned_vectors        misaligned accesses
///   stage_overwritten        shared races
///   edge_not_zeroed          each element is too large by the same integer times its row's first element of
///                            M times its column's first element of N, or by its last ones
///   patch_in_local_memory    right values; ptxas gave a kernel local memory
///   one_element_a_thread     right values; a request a multiply-add or more
///   scalar_loads             right values; more requests than allowed, each of one float a thread
///   conflicting_layout       right values, few requests; conflicts
///   small_tiles              right values, few requests; more sectors than allowed
///   single_buffered          right values, few requests and sectors; more barriers than allowed
std::vector<Fact> FactsOf(const Seen& seen);

}  // namespace warplings::fast_matmul
