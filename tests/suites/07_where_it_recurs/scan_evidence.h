// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::scan {

/// A long input has as many elements.
inline constexpr std::size_t kLongLength = 262'144;

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "NextTileHasOneElement"
  TestResult result;
  std::vector<int> input;
  std::vector<int> output;  ///< Empty where it could not be read.
};

/// What an honest kernel needs at most for a long input:
///
///   barriers      a scan over 1024 threads in 10 steps waits 20 times, and 8 times more for what comes
///   before
///                 and after. With 8 elements per thread, that is 28 x 32 arrivals for 8192 elements: 0.11
///                 for each
///   instructions  up to 60 for 32 elements in several passes, 95 if each tile adds up the sums before it, or
///                 each thread has one element and warps use shuffles. 112 are allowed. With steps in shared
///                 memory for each element it is 120 and more
///   sectors       4 for 32 elements that are neighbours, 5 if they are not aligned, in two passes. Twice as
///                 many where each thread moves two int4. Elements of 8 or more that each thread loads
///                 alone take 32
struct Limits {
  std::uint64_t barriers, instructions, sectors;
};
Limits LimitsOf(std::size_t length);

/// Threads of the launch that has the most.
std::uint64_t Threads(const TestResult& result);
/// Ints that are loaded from global memory.
std::uint64_t Loaded(const TestResult& result);

/// True if the blocks of a call need to run in order. They learn of each other by one atomic operation each,
/// and load nothing but the input: none can wait for a block that comes later. The virtual GPU does run them
/// in order, so that the values are right.
bool NeedsOrder(const TestResult& result, std::size_t length);

/// A block that sees another one's flag and then reads what that one stored: where a fence is missing, that
/// blocks run in any order is not the point.
void NameRacesPastFlags(TestResult& result);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/07_where_it_recurs shows is said at the functions of scan_evidence.cc.
std::vector<Fact> FactsOf(std::span<const Evidence> all);

}  // namespace warplings::scan
