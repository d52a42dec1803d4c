// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/judge/suite_messages.h"

namespace warplings::bank_conflicts {

/// What one test of reduce_sequential saw.
struct Reduction {
  std::string test;  ///< "OneElement"
  TestResult result;
  std::vector<float> x, sums;  ///< sums is empty where it could not be read.
};

inline constexpr std::uint64_t kBranchesPerSegment = 16;

/// The misconceptions that explain what the tests saw, the first that applies:
///
///   barrier_inside_if      threads of one block at different barriers, or only part of a warp at one
///   no_thread_rests        accesses outside the shared array
///   barrier_missing        a race in shared memory
///   place_left_empty       shared elements that nobody wrote
///   load_unguarded         reads outside X
///   last_segment_missing   just the sum of the last, partial segment was never written
///   step_missing           every sum is that of half of its segment: the first half, or every other element
///   interleaved_elements   right values; bank conflicts
///   interleaved_threads    right values without a conflict; more branches that part a warp than the limit
std::vector<Recognised> RecogniseReduction(std::span<const Reduction> all);

}  // namespace warplings::bank_conflicts
