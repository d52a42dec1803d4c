// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/probe.h"
#include "grader/suite/random_values.h"
#include "grader/suite/suite_messages.h"

namespace warplings::bank_conflicts {

inline constexpr int kTile = 32;
inline constexpr std::uint32_t kTileBytes = kTile * kTile * 4;

/// What one test of a transposition saw.
struct Transposition {
  std::string test;  ///< "OneElement"
  int rows = 0, columns = 0;
  TestResult result;
  std::vector<float> x, y;  ///< y is empty where it could not be read.
};

using Fill = std::vector<float> (*)(RandomValues&, std::size_t);

/// Calls the submission on a fresh X, whatever its entry's name, and compares Y exactly.
Transposition CallTranspose(const Message& title, int rows, int columns, Fill fill);

/// The sentences in which chapters/grading.md states what both exercises are graded by.
std::vector<std::string> TranspositionSentences();

/// What the submission computed instead, for ExplainWith.
std::vector<Explained> ExplainTranspositions(std::span<const Transposition> all);

/// What can be said of a wrong transposition of rows x columns from where each element of Y comes from: row
/// lengths that are others, a copy, rows or columns that nobody stores, a grid that is laid over X the other
/// way round. The weightiest first; none where nothing of that fits. `some_return`: threads were seen to
/// return before a barrier.
std::vector<Message> FactsOfTransposition(int rows, int columns, const ProbeResult& probed,
                                          std::span<const LaunchRecord> launches, bool some_return = false);

struct Shape {
  int rows = 0, columns = 0;
};
Shape RandomShape();       ///< Of the running test: 34 to 95 rows and columns, no multiple of a tile.
Shape RandomWholeShape();  ///< 2 to 4 by 1 to 3 whole tiles.

/// Adds a failure where any request to shared memory conflicts.
void GradeConflicts(TestResult& result);

/// Adds a failure where X is read or Y written in pieces. rows and columns are multiples of 32, so that rows
/// start on a sector's boundary (32 bytes, 8 floats).
///
///   along rows     each sector is touched by one request       = rows x columns / 8
///   along columns  each element is a sector of its own request = rows x columns
///   rows of 4      two requests for each sector                = rows x columns / 4
///
/// The limit is 1.5 times the first line: tiles of any width from 8 on, and vector loads, pass.
void GradeSectors(Transposition& transposition);
std::uint64_t SectorLimit(int rows, int columns);

/// Adds a failure where a block of any launch uses more shared memory than one tile without padding.
void GradeSharedBytes(TestResult& result);

/// The misconceptions that explain what the tests of transpose_padded saw:
///
///   barrier_missing        a race in shared memory; explains everything else
///   tile_stays_in_place    with whole tiles, Y is what results if each tile is transposed where it is
///   tile_not_turned        the reverse: tiles have changed places, the elements within them have not
///   part_of_tile           blocks of fewer threads than a tile has elements; of each tile of Y, as many rows
///                          and columns are written as a block has
///   shape_of_x             for every shape, as many writes outside Y as with X's row length or X's bounds
///                          in place of Y's
///   store_checked_with_x   for every shape, as many writes outside Y as that check lets through
///   first_row_checked      blocks of fewer than 32 rows; for every shape, as many accesses past the end of X
///                          or Y as if each thread checked only the first of its rows
///   store_along_columns    right values; more sectors written than the limit
///   load_along_columns     right values; more sectors read than the limit
///   tile_not_padded        right values and sectors; conflicts, in 4096 bytes
///   extra_row              the same in more bytes, with a whole column in one bank: 31 conflicts for each
///                          request
///   padding_not_odd        the same in more bytes, with fewer conflicts
std::vector<Fact> FactsOfPadded(std::span<const Transposition> all);

/// The same for transpose_swizzled:
///
///   runs_past_the_row      accesses outside the shared array
///   only_one_access        with whole tiles, each column of X's tile arrives in the right row of Y, but in a
///                          wrong order; this and the next without a race in shared memory
///   places_shared          with whole tiles, each element of Y is one of the right row of X, and some are
///                          lost; or two threads store the same element of the tile, and each element of
///                          Y is one of the right tile of X
///   part_of_tile, shape_of_x, store_checked_with_x  as for transpose_padded
///   padded_again           right values without a conflict; more than 4096 bytes
///   column_in_one_bank     right values; 31 conflicts for each load, in 4096 bytes
///   too_few_orders         right values; fewer conflicts, in 4096 bytes
std::vector<Fact> FactsOfSwizzled(std::span<const Transposition> all);

/// Writes outside Y of a kernel with tiles of 32 x 32, for an X of rows x columns.
using WritesOutside = std::uint64_t (*)(int rows, int columns);
/// It checks x_row and x_column before it stores.
std::uint64_t WritesCheckedWithX(int rows, int columns);
/// It takes rows of Y to be as long as those of X.
std::uint64_t WritesWithRowsOfX(int rows, int columns);
/// It takes Y to have as many rows and columns as X.
std::uint64_t WritesWithBoundsOfX(int rows, int columns);
/// Both.
std::uint64_t WritesWithShapeOfX(int rows, int columns);

}  // namespace warplings::bank_conflicts
