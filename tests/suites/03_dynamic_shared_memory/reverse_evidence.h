// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/probe.h"
#include "grader/suite/suite_messages.h"

namespace warplings::reverse {

/// What one test saw.
struct Evidence {
  std::string test;  ///< "LastPieceIsShorter"
  int n = 0, piece = 0;
  bool use_dynamic = false;
  TestResult result;
  std::vector<int> in, out;  ///< out is empty where it could not be read.
};

/// What `out` has to be.
std::vector<int> Reversed(const std::vector<int>& in, int piece);

/// True for an element that is loaded too early in a block with fewer threads than its piece has elements: it
/// is stored only when the threads go on to further elements. Not of a kernel without a barrier in between.
bool IsOfALaterRound(const Evidence& e, const Finding& finding);

/// The misconceptions that explain what the tests saw. What each wrong answer shows, and by what it is told
/// from the others ("bytes" are the launch's dynamic shared bytes, per block):
///
///   mutant                               is recognised by
///   barrier_missing                      shared races, whatever else is seen
///   next_piece_not_awaited               the same in blocks of several pieces, with a barrier between
///   pairs_swapped_twice                  two threads store both tile elements of a pair
///   no_bytes_passed                      dynamic: no bytes, and accesses outside shared memory
///   bytes_are_elements                   dynamic: as many bytes as a piece has elements, in every launch
///   static_for_both                      dynamic: right values, but the array has a fixed size
///   last_piece_from_the_end_of_the_tile  shared elements nobody wrote, only where the last piece is shorter
///   tile_of_floats                       wherever out is wrong, it holds the right value as a narrower type
///   pieces_change_places                 out is the whole array in reverse order
///   empty_grid_launched                  only launches of empty arrays are refused
///   no_shared_memory                     right values without a load from shared memory
std::vector<Fact> FactsOf(std::span<const Evidence> evidence);

/// What to ask about the finding in shared memory that a test advises on: more than its next step says where
/// the bytes passed are known to be right, or where a block has fewer threads than its piece has elements. Or
/// empty.
Message StepOfTile(const Evidence& e);

/// What is never stored, and why, where each element is as if block b had the piece from element b x
/// `threads` on. Empty where another explanation is needed.
std::vector<Message> FactsOfBlocksThatStartAtThreads(const ProbeResult& probed, int n, int piece,
                                                     int threads);

/// Of launches that are refused for their bytes: that a piece takes only `wanted`, where a block may have as
/// many, in place of how to be allowed more.
void NameBytesOfPiece(TestResult& result, std::int64_t wanted);

}  // namespace warplings::reverse
