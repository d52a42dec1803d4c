// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"
#include "tests/suites/06_coarsening/coarsening_answers.h"

namespace warplings::when_not_to {

/// Of the test whose title has the counts: a multiple of 1024 from kCountedLength on, and this factor.
inline constexpr int kCountedLength = 49152, kCountedFactor = 4;
inline constexpr int kBlockSize = 256;

/// What one call saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "LastThreadHasOneElement"
  int length = 0, coarse_factor = 1;
  TestResult result;
  std::vector<bool> is_wrong;  ///< Of each element of c.
  std::vector<float> c;        ///< Empty where it could not be read.
};

/// Sectors loaded and stored.
std::uint64_t Sectors(const TestResult& result);
std::uint64_t Threads(const TestResult& result);

std::uint64_t Blocks(const TestResult& result);

/// Sectors of A, B and C when each is touched once, and what is allowed: who treats the last elements apart
/// may touch their sectors several times.
std::uint64_t SectorsNeeded(int length);
std::uint64_t SectorsAllowed(int length);
/// Blocks that have an element for each thread, and what is allowed: four more, for example in a launch of
/// their own for the last elements.
std::uint64_t BlocksNeeded(int length, int coarse_factor);
std::uint64_t BlocksAllowed(int length, int coarse_factor);

/// The misconceptions that explain what the tests saw, none twice. Of the kernel:
///
///   tail_unguarded         reads outside A, as many as when a thread's first element decides
///   tail_dropped           just the elements behind the last whole block were never written
///   factor_ignored         right values; as many threads as elements with factor 4
///   neighbouring_elements  right values; few threads; twice the sectors and more with factor 4
///
/// Of the answers, each by the number or word that the wrong idea leads to: stores_forgotten (two arrays),
/// sector_for_each_element (3 x 1024), coarsening_saves_sectors (a quarter), busy_for_idle (32),
/// blocks_without_factor (0), price_that_is_not_paid (any other word of the question), another_count (numbers
/// that are the count of something else, with what that is).
std::vector<Fact> FactsOf(std::span<const Evidence> all, const Answers& answers);

/// Where just those elements are never stored that come together with one that does not exist, in one of the
/// ways in which a kernel may take them together: which, with an example. Empty where none of them, or more
/// than one, leaves out just these elements.
Message ElementsLeftOut(std::span<const Evidence> all);

}  // namespace warplings::when_not_to
