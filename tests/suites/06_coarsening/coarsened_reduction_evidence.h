// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::coarsened_reduction {

inline constexpr int kCoarseFactor = 8;
/// Of the test that counts.
inline constexpr int kCountedLength = 65536;

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "LastSegmentHasOneElement"
  TestResult result;
  std::vector<float> input;
  bool is_exact = false;     ///< Integers whose sums are all below 2^24: any order gives the same float.
  std::vector<float> value;  ///< One, or none where it could not be read.
};

/// What an honest coarsened kernel needs at most for `length` elements, 65,536 and more; F is the
/// coarsening factor, 8, and B a block's threads.
///
///   threads   those of the blocks, and 1024 more for a second pass over the blocks' sums
///   barriers  a tree over B threads has log2(B) rounds and a barrier more, for each of B / 32 warps: with
///             B = 1024, 11 x 32 arrivals for a block, the second pass's included. (B = 256: 9 x 8 for 256 F
///             elements, less.)
///   atomics   one a warp at most: one for 32 F elements, and 16 more for warps that are not full
///   sectors   length / 8, each once; a quarter more for a second pass
///
/// The last block need not be full: what counts by threads, counts whole blocks of 1024, the largest, with F
/// elements a thread.
struct Limits {
  std::uint64_t threads, barriers, atomics, load_sectors;
};
Limits LimitsOf(int length);

std::uint64_t Threads(const TestResult& result);

/// Of threads, to global memory: those to shared memory are another matter.
std::uint64_t GlobalAtomics(const TestResult& result);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/06_coarsening shows, and by what it is told from the others:
///
///   mutant                  recognised by
///   barrier_inside_guard    threads at different barriers
///   barrier_missing         shared races
///   every_thread_adds       each sum is that of the elements times the threads of a block; or as many atomic
///                           additions as threads, beside a tree
///   output_not_cleared      reads of an output that nobody has written
///   output_cleared_in_kernel  a race of one block's store to the output with other blocks' atomic additions
///   tail_unguarded          reads outside the input, as many as when the first element decides
///   tail_dropped            each sum is that of the whole segments
///   segment_without_factor  each sum counts elements again as overlapping segments do
///   atomic_per_thread       right values, few threads, an atomic addition for each
///   tree_in_every_step      right values, few threads, eight times the barriers
///   uncoarsened             right values, a thread an element, and with 8 times the elements no longer warp
///   grid_not_divided        right values, a thread an element, and warps that work longer
///   neighbouring_elements   right values, few threads, the sectors of each element's own request
std::vector<Fact> FactsOf(std::span<const Evidence> all);

/// Where all exact sums are those of some elements only, and one mistake leaves out just the others: which,
/// with an example. Of elements that are checked together, of steps that are too long in a segment that is
/// not full, and of a tree over a number of threads that is no power of two. Empty where none of these, or
/// more than one, gives all sums.
Message MistakeInSums(std::span<const Evidence> all);

}  // namespace warplings::coarsened_reduction
