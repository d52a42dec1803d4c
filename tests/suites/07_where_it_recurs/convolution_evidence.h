// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"
#include "reference/convolution.h"

namespace warplings::convolution {

/// A large input has as many rows and columns.
inline constexpr std::size_t kLargeSide = 512;
/// If rows and columns are multiples of it, tiles of the usual sizes fit, and threads outside the matrix are
/// few.
inline constexpr std::size_t kWholeTiles = 128;

/// What one test saw: plain data, from which the facts are made.
struct Evidence {
  std::string test;  ///< "OneElement"
  TestResult result;
  reference::MatrixShape shape;
  std::vector<float> input;             ///< Integers from 1 to 255, unless values are rounded.
  std::vector<float> filter;            ///< 25 integers that differ in magnitude, unless values are rounded.
  std::vector<float> output;            ///< Empty where it could not be read.
  bool is_exact = true;                 ///< No sum rounds.
  std::uint64_t storing_threads = 0;    ///< That are the last writer of an element.
  bool stored_after_host_read = false;  ///< The host had read device memory before.
};

bool IsLarge(const reference::MatrixShape& shape);

/// What an honest kernel loads at most of a large input. A tile of t x t elements with its halo needs
/// (1 + 4 / t)^2 loads an element. 16 x 16 threads that load as many elements, and of which 12 x 12 compute,
/// need 1.8; a filter that each block loads into shared memory, 0.2 more.
///
///   bytes    8 an element, whichever array they are from
///   sectors  an eighth an element, each once. Tiles of 16 x 16 whose halo is loaded apart need nearly a
///   half;
///            lanes that load from different rows, one or more
struct Limits {
  std::uint64_t bytes, sectors;
};
Limits LimitsOf(const reference::MatrixShape& shape);

/// Bytes that threads load from global memory. An atomic operation loads, too.
std::uint64_t BytesFromGlobal(const TestResult& result);

/// The threads of all launches that load from input.
std::uint64_t Threads(const TestResult& result);
/// Of `threads`, how many may store nothing. A block of 32 x 32 threads of which 28 x 28 compute has 23 %;
/// warps that exchange elements by shuffles, 28 lanes of which compute, have 12.5 %, and up to 16 % with
/// those beyond the last column.
std::uint64_t IdleThreads(std::uint64_t threads);

/// True if a kernel stores, loads or adds anything in shared memory.
bool UsesShared(const TestResult& result);

/// Elements whose distance from an edge is less than the filter's radius.
bool IsAtEdge(const reference::MatrixShape& shape, std::size_t element);

/// The misconceptions that explain what the tests saw, none twice. What each wrong answer of
/// tests/mutants/07_where_it_recurs shows, and by what it is told from the others:
///
///   mutant                 recognised by
///   block_too_large        a launch is refused: too many threads
///   filter_not_symbol      a copy is refused: the direction, or no device memory
///   filter_over_host       the host reads device memory first, and kernels load the input
///   barrier_inside_guard   threads at different barriers, or gone before one
///   read_too_early         a race in shared memory, and no barrier between store and read
///   overwritten_too_early  a race in shared memory, although there is one
///   sides_exchanged        right where rows is columns, and wrong elsewhere
///   stored_outside         stores outside the output
///   element_stored_twice   two threads store the same element, and none outside the output
///   coefficient_outside    reads outside the filter
///   tile_not_filled        shared memory is read before it is written
///   outside_not_zeroed     the same, and only elements at edges are wrong
///   halo_room              an array in shared memory has room for a tile, but not for its halo
///   before_tile            it has room, and something before its start is read
///   halo_missing           parts of windows count as 0
///   corners_missing        one of the two, and only near the corners of tiles
///   input_read_outside     reads outside the input
///   rounded_down           nothing was stored from a row or a column on
///   tiles_with_gaps        nothing was stored in whole rows or columns, with others behind them
///   edges_left_out         the wrong elements are at edges, and not computed
///   edge_repeated          the wrong elements are at edges, with other elements in place of those outside
///   rows_run_on            the wrong elements are at edges, with elements of other rows
///   filter_not_copied      all elements are 0
///   filter_copied_beside   the same, and a copy in another stream is still pending
///   filter_flipped         the filter is turned by half a turn
///   filter_transposed      the filter's rows are its columns
///   coefficients_left_out  some coefficients are never used
///   filter_copied_in_part  only as many are used as 25 bytes hold
///   wrong_coefficient      others are used in their place
///   tile_turned            the sum around the element across the diagonal of the tile
///   window_shifted         the element of another row or column
///   thread_not_in_index    the sum of the first element of a tile, or of its row or column
///   sum_not_reset          the sum of another row or column is added
///   integer_sum            right values for integers, and wrong ones for fractions
///   no_tile                right values, and no shared memory: 20 or more loads from input an element
///   registers_only         right values, and no shared memory: fewer loads
///   filter_in_global       right values, and loads from filter for every element
///   halo_from_global       right values, and more is loaded than stored in shared memory
///   small_tiles            right values, shared memory, and still too many loads
///   loaded_again           the same, more than its tiles need, and threads store the same elements
///   one_thread_loads       right values, and a request for one or two of the loads
///   not_coalesced          right values, and a sector for one or two of the loads
///   threads_only_load      right values, few loads, and threads that store nothing
///   blocks_outside         the same, and they are whole rows or columns of blocks
///   thread_per_element     the same, as many threads as elements, and the others store several each
///   grid_of_threads        the same, in too few loads for a tile in each block
///   element_repeated       coefficients are right, but several of them have the same element of input
///   coefficients_changed   the sums have coefficients that are not in the filter
std::vector<Fact> FactsOf(std::span<const Evidence> all);

}  // namespace warplings::convolution
