// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::bank_conflicts {

/// What one test of reduce_sequential saw.
struct Reduction {
  std::string test;  ///< "OneElement"
  TestResult result;
  std::vector<float> x, sums;  ///< sums is empty where it could not be read.
};

inline constexpr std::uint64_t kBranchesPerSegment = 16;

/// A sector holds 8 floats; read once, in whole sectors, X takes n / 8. The limit is 1.5 times that: elements
/// that lie apart take more, and so does whoever reads them twice. For n a multiple of SEGMENT.
std::uint64_t SectorsAllowed(std::size_t n);

/// The line whose loads or stores of shared memory conflict most; null: none is known.
const LineCounts* LineOfConflicts(const TestResult& result);

/// What can be said where wrong sums are off by no more than a type with fewer digits loses, as an advice;
/// "": it is not so.
Message NearlyRight(std::span<const Reduction> all);

/// Where all sums are those of some elements only, and one mistake leaves out just the others: which, with an
/// example. Of elements that are checked together, of a tree that halves an odd number, of a tree without one
/// of its steps, and of segments whose sums are added up. Empty where none of these, or more than one, gives
/// all sums.
Message MistakeInSums(std::span<const Reduction> all);

/// The misconceptions that explain what the tests saw, the first that applies:
///
///   barrier_inside_if      threads of one block at different barriers, or only part of a warp at one
///   stride_of_a_segment    reads outside the shared array, each a segment after the thread's own element
///   no_thread_rests        as many reads outside the shared array as when each thread adds in each step
///   barrier_missing        a race in shared memory, not of two stores
///   place_left_empty       shared elements that nobody wrote, in partial segments only
///   load_unguarded         as many reads outside X as threads without an element
///   sums_past_the_end      more sums stored than there are segments, beside any other fault
///   last_segment_missing   just the sum of the last, partial segment was never written
///   step_missing           every sum is that of half of its segment: the first half, or every other element
///   stride_still_grows     every sum is that of the elements 0, 1, 2, 4, 8, ... of its segment
///   interleaved_elements   right values; bank conflicts
///   interleaved_threads    right values without a conflict; more branches that diverge than the limit
///   one_thread_a_segment   right values without either, nothing shared; more sectors of X than the limit
std::vector<Fact> FactsOfReduction(std::span<const Reduction> all);

}  // namespace warplings::bank_conflicts
