// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"
#include "reference/stencil.h"

namespace warplings::stencil {

/// A large input has as many points along each axis.
inline constexpr std::size_t kLargeSide = 64;

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "OneInnerPoint"
  TestResult result;
  reference::Grid grid;
  std::vector<float> input;           ///< Integers from 1 to 255, unless values are rounded.
  std::vector<float> output;          ///< Empty where it could not be read.
  bool is_exact = true;               ///< No step of the formula rounds.
  std::uint64_t storing_threads = 0;  ///< That are the last writer of a point.
};

bool IsLarge(const reference::Grid& grid);

/// What an honest kernel loads at most of a large input. A tile that lies within a plane and whose side is t
/// needs 1 + 2 / t + 2 / t loads a point; a group of p planes 2 / p more. Tiles of 16 x 16 points that have
/// their corners, too, and walk through 16 planes need 1.4. A cube of 8 points a side, which is all that 512
/// threads with one point each can share, needs 1.75.
///
///   bytes    6 a point
///   sectors  an eighth a point, each once. Rows of 8 points whose frame is loaded apart need more than half;
///            lanes that load from different rows, one or more
struct Limits {
  std::uint64_t bytes, sectors;
};
Limits LimitsOf(const reference::Grid& grid);

/// True if a kernel stores, loads or adds anything in shared memory.
bool UsesShared(const TestResult& result);

/// "output(1, 1, 2)", of a point by its place in the array.
Message DescribePoint(const reference::Grid& grid, std::size_t i);

/// What to do where wrong points are inside only; `first` is the first of them in the array.
Message StepOfWrongInside(const reference::Grid& grid, std::uint64_t inside, std::size_t first);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/07_where_it_recurs shows, and by what it is told from the others:
///
///   mutant                 recognised by
///   barrier_inside_guard   threads at different barriers, or gone before one
///   read_too_early         a race in shared memory, and no barrier between store and read
///   overwritten_too_early  a race in shared memory, although there is one
///   frame_missing          shared memory is read before it is written, or a neighbour in x or y counts as 0
///   tile_index             neighbours that lie across the tile's diagonal, or reads of unwritten shared
///   memory with
///                          most points wrong
///   stored_outside         stores outside the output
///   face_read_outside      reads outside the input, and no store outside the output
///   blocks_outside         the same, by blocks that begin past the last plane
///   faces_left_out         the wrong points are on faces, and nothing was stored there
///   faces_computed         the wrong points are on faces, and neighbours that do not exist count as 0, or
///   are
///                          unwritten tile elements
///   rows_run_on            the wrong points are on faces, and the neighbours are those in memory
///   inner_copied           the wrong points are not on faces, and have their inputs
///   rounded_down           nothing was stored beyond a plane, a row or a column
///   blocks_overlap         the same, and with b blocks b - 1 + p points were stored, for any b
///   tiles_with_gaps        nothing was stored in whole rows or columns, with others behind them
///   sides_exchanged        right where width is height, and wrong elsewhere
///   block_shape            of each tile, as many columns or rows are written as the block has threads along
///                          the other axis
///   depth_in_index         stores where points are by an index with depth in it, or with x, y and z in
///   another
///                          order; stores outside by threads that have a point; or right where height is
///                          depth
///   wrong_plane            a neighbour in z is another element of its column, or points on faces have
///                          the input of another plane
///   group_begins_at_zero   a neighbour in z counts as 0
///   frame_of_other_plane   neighbours in x or y are those of the plane before or after
///   rows_in_fours          right where width is a multiple of 4, and wrong elsewhere
///   wrong_formula          seven other factors, the same for all points
///   no_tile                right values, and no shared memory: seven loads a point
///   plane_not_shared       right values, and no shared memory: fewer loads
///   planes_loaded_again    right values, shared memory, and more loads than a block's points and frame need
///   small_tiles            right values, shared memory, and no more loads than those
///   not_coalesced          right values, and a sector for one or two of the loads
std::vector<Fact> FactsOf(std::span<const Evidence> all);

}  // namespace warplings::stencil
