// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings::dynamic_tiled_matmul {

/// What one test saw.
struct Evidence {
  std::string test;  ///< "WidthIsNoMultipleOfTheTile"
  int width = 0, tile = 0;
  TestResult result;
  std::vector<float> m, n, p;  ///< p is empty where it could not be read.
};

/// Bytes of two tiles, which a launch has to pass.
inline std::uint32_t BytesOfBothTiles(int tile) {
  return 2 * static_cast<std::uint32_t>(tile) * static_cast<std::uint32_t>(tile) * sizeof(float);
}

/// The misconceptions that explain what the tests saw. What each wrong answer shows, and by what it is told
/// from the others (W: width, T: tile; "bytes" are what every launch passes; 8 T T are right):
///
///   mutant                         bytes   is recognised by
///   elements_passed_as_bytes       2 T T   accesses outside shared memory
///   room_for_one_tile              4 T T   the same
///   room_for_rows                  8 T     the same
///   bytes_added_to_a_float_pointer 8 T T   an access at 16 T T, in every test: 4 T T floats instead of T T
///   row_of_the_matrix              8 T T   accesses outside where W > T, none where W = T
///   tiles_in_the_same_place        8 T T   no finding; P is what one tile multiplied by itself gives
///   tile_of_a_fixed_width          any     one block shape, whatever T is
///   static_tiles                   any     right values, from arrays of a fixed size
std::vector<Fact> FactsOf(std::span<const Evidence> evidence);

/// What to ask about the finding in shared memory that a test advises on: more than its next step says where
/// the bytes passed are known to be right, and so where the tiles lie. Or empty.
Message StepOfTiles(const Evidence& e);

/// What to ask where the threads load more than all phases need: about the grid, where it has more blocks
/// than P has tiles.
Message StepOfLoads(const Evidence& e);

/// What to ask about a race between these two lines: a block of one warp needs a barrier, too.
Message StepOfRace(int tile, say::Line store, say::Line read);

}  // namespace warplings::dynamic_tiled_matmul
