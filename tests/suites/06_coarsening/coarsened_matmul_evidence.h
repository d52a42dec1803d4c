// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/suite/suite_messages.h"
#include "tests/suites/06_coarsening/matmul_call.h"

namespace warplings::coarsened_matmul {

inline constexpr int kTileWidth = 32, kCoarseFactor = 4, kSpan = kTileWidth * kCoarseFactor;

/// Bytes that the contract allows at this width: M once for each column of blocks, N once for each row.
std::uint64_t AllowedBytes(int width);

/// Accesses behind the last element when a thread's first column decides for all its columns.
std::uint64_t ReadsOutsideN(int width);
std::uint64_t WritesOutsideP(int width);

/// One block for four tiles of P in a row of blocks, and not for one tile, or for four below one another.
bool HasTilesSideBySide(const TestResult& result, int width);
/// One block for four tiles of P below one another.
bool HasTilesBelowOneAnother(const TestResult& result, int width);
/// What to do about tiles of M that are loaded too often: with how many tiles beside each other a block
/// leaves the grid as it is, if it is another number than four.
Message StepOfFewTiles(const TestResult& result, int width);

/// What to ask where the kernel loads more of a matrix than allowed, and less than all of it once more: with
/// whole tiles, one phase more than there are is a load of its own.
Message StepOfPart(const TestResult& result, const std::string& matrix, std::uint64_t loaded,
                   std::uint64_t allowed, std::uint64_t width);

/// What is said where a thread stores none of its columns if the last of them does not exist; empty where all
/// tests do not lack just these.
Message ColumnsLeftOut(std::span<const MatmulEvidence> all);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/06_coarsening shows, and by what it is told from the others (W: a test's width):
///
///   mutant                     fails where          is recognised by
///   tiles_not_awaited          every W              shared races within a single phase, and elements that
///                                                   nobody wrote
///   n_tile_overwritten         every W              shared races within a single phase, no such element
///   first_column_checked       128 no divisor of W  as many reads outside N and writes outside P as in the
///                                                   model
///   grid_rounded_down          128 no divisor of W  refused launches at W < 128; above, exactly the columns
///                                                   past the last whole block were never written
///   block_span_without_factor  W > 160              exactly the columns from 32 (blocks - 1) + 128 on were
///                                                   never written
///   grid_turned                W > 32               a grid with x and y interchanged, and exactly the rows
///                                                   were never written that it has no blocks for
///   columns_overlap            W > 35               exactly the columns were written that threads with
///                                                   columns less than a tile apart have, some of them twice
///   one_accumulator            W > 32               every element is the sum of what the thread's elements
///                                                   must be
///   untiled                    the bytes            right values, no shared load
///   grid_not_divided           the bytes            right values; operations of four times the product
///   not_coarsened              the bytes            right values; as many threads as elements
///   m_tile_reloaded            the bytes            right values; a quarter of the threads, the bytes of all
///                                                   tiles
///   neighbouring_columns       the sectors          right values and bytes; at least twice the sectors
std::vector<Fact> FactsOf(std::span<const MatmulEvidence> all);

}  // namespace warplings::coarsened_matmul
