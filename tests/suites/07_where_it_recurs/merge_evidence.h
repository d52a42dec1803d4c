// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::merge {

/// A long input has as many elements in all.
inline constexpr std::size_t kLongLength = 262'144;

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "ShortAndLong"
  TestResult result;
  std::vector<int> a, b;
  std::vector<int> output;  ///< Empty where it could not be read.
  std::size_t length() const { return a.size() + b.size(); }
};

/// What an honest kernel needs at most for a long input:
///
///   loads         4 sectors for 32 elements that are neighbours, 5 or 6 if they are not aligned. Twice as
///                 many if a block loads a whole tile of each array. Two searches by one thread take 72
///                 sectors, 1.2 for 32 elements with tiles of 2048; by all 8 warps of a block, about 8.
///                 16 are allowed. With pieces of 8 elements that threads merge in global memory it is 120
///   stores        4 for 32 neighbours. If lanes have 32 neighbours of a or b and each stores its element at
///                 its place in output, it is about 9. 12 are allowed. Pieces of 8 that each thread stores
///                 alone take 32
///   instructions  1.7 to 5 x length if threads merge pieces, or with a bitonic network. 6 to 8 if each
///                 element of a tile has a thread that searches for its place. 10 are allowed. If one thread
///                 merges a tile it is 19
struct Limits {
  std::uint64_t load_sectors, store_sectors, instructions;
};
Limits LimitsOf(std::size_t length);

/// Threads of the launch that has the most.
std::uint64_t Threads(const TestResult& result);
/// Blocks of the launch that stores most.
std::uint64_t Blocks(const TestResult& result);
/// Ints that are loaded from global memory.
std::uint64_t Loaded(const TestResult& result);
/// True if a kernel stores anything in shared memory.
bool UsesShared(const TestResult& result);

/// What is wrong with the elements of output, whatever their places.
struct Contents {
  std::vector<int> missing;   ///< Fewer times in output than in a and b together.
  std::vector<int> repeated;  ///< More times, but in a or b.
  std::vector<int> foreign;   ///< In neither.
  std::size_t unwritten = 0;  ///< Elements that were never stored.
};
Contents ContentsOf(const Evidence& evidence);

/// The index of the first element that is greater than the next one; the length if there is none.
std::size_t FirstDescent(std::span<const int> output);

/// What to ask if a call without elements fails, or one that launched nothing because one array has none. Or
/// empty.
Message StepWithoutLaunch(const Evidence& evidence);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/07_where_it_recurs shows is said at the functions of merge_evidence.cc.
std::vector<Fact> FactsOf(std::span<const Evidence> all);

}  // namespace warplings::merge
