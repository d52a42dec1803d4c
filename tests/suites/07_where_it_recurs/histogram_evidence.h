// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::histogram {

/// A long input has as many elements, and as many for each bin.
inline constexpr std::size_t kLongLength = 262'144, kLongPerBin = 256;
/// Elements that a block counts for each bin that it adds to counts.
inline constexpr std::size_t kCoarseFactor = 8;

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "MoreBinsThanThreads"
  TestResult result;
  std::vector<int> input;
  int bins = 0;
  std::vector<int> counts;  ///< Empty where they could not be read.
};

bool IsLong(std::size_t length, int bins);

/// What an honest kernel needs at most for a long input:
///
///   updates  the bins of the private copies, added to counts: copies of at least 8 elements for each bin are
///            length / 8 of them, and one more copy, if the last one is not full. Two more for each bin: a
///            zero that a kernel stores, and the sum of copies that a second kernel adds up. A fourth to
///            spare
///   sectors  of the input: length / 8, each once; a quarter more for loads that are not aligned. Of all
///            arrays: one for each bin of a copy that a second kernel loads
struct Limits {
  std::uint64_t updates, load_sectors, all_load_sectors;
};
Limits LimitsOf(std::size_t length, int bins);

/// Ints that threads store to global memory or add to it, whichever array.
std::uint64_t Updates(const TestResult& result);
std::uint64_t Threads(const TestResult& result);
/// True if a kernel stores, loads or adds anything in shared memory.
bool UsesShared(const TestResult& result);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/07_where_it_recurs shows, and by what it is told from the others:
///
///   mutant                  recognised by
///   barrier_inside_guard    threads at different barriers
///   counts_not_cleared      counts is read before it is written
///   clearing_refused        the same, and a call that copies or sets memory is refused
///   cleared_in_kernel       a race of one block's store to counts with other blocks' atomic additions
///   stored_after_atomic     a race of an atomic addition and a store that stands below it
///   merge_not_atomic        a race of blocks in counts, without an atomic addition
///   not_atomic              a race in shared memory, where neither access is atomic
///   counted_before_cleared  a race in shared memory of an atomic addition and a store that stands above it
///   merged_before_counted   a race in shared memory of an atomic addition and a load
///   copy_not_shared         local memory is read before it is written, and shared memory is not used
///   bins_beyond_block       bins from the number of threads on are missing, or read before they are written
///   copy_not_cleared        shared memory is read before it is written, with few bins, too
///   tail_unguarded          reads outside the input
///   tail_dropped            the counts of the first elements, and of none of the last
///   segment_without_factor  the counts of segments that overlap
///   copy_not_merged         all counts are 0, although threads count in shared memory
///   block_index_left_out    the counts of the first elements, times the blocks
///   merged_by_every_thread  each count is the right one times the threads of a block
///   narrow_counter          what is missing in a bin are multiples of 256 or 65,536
///   only_many_bins          right up to a number of bins, and wrong from another one on
///   no_private_copy         right values, an update for each element, no shared memory
///   not_coarsened           right values, a thread for each element
///   merged_in_every_step    right values, and more updates than all copies have bins
///   too_many_copies         right values, fewer threads, but still too many updates
///   thread_per_bin          right values, and elements are loaded several times
///   one_thread_counts       right values, one lane of a warp loads
///   neighbouring_elements   right values, the sectors of each element's own request
std::vector<Fact> FactsOf(std::span<const Evidence> all);

/// Where all counts that came back are those of one mistake that no misconception has: which. Empty
/// otherwise.
Message MistakeInCounts(std::span<const Evidence> all);

}  // namespace warplings::histogram
