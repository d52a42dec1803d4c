// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/probe.h"

namespace warplings {

/// The specification of a function that multiplies matrices, P = M x N, and the names of its parameters.
struct ProductContract {
  int rows = 0, inner = 0, columns = 0;  ///< M: rows x inner, N: inner x columns.
  bool m_by_columns = false;             ///< M is stored column by column and is called Mt.
  /// All are "width" for a square product.
  std::string rows_name = "j", inner_name = "k", columns_name = "l";
  int tile = 0;  ///< Threads of a block in x and in y, where these are as many; 0: unknown.
  /// Something was read from shared memory: only then are there tiles and phases to speak of.
  bool has_tiles = true;
  /// What the call launched; `grid` and `block` are of a single launch.
  enum class Launched : std::uint8_t { kUnknown, kNothing, kOnce };
  Launched launched = Launched::kUnknown;
  Dim3 grid{}, block{};
};

/// What is wrong with a product, as data, from which the sentences are made.
struct ProductFacts {
  // --- How P is stored.
  std::size_t unknown = 0;        ///< Elements whose formula was not found.
  std::size_t wrong = 0;          ///< Elements with a wrong formula; does not include `unknown`.
  std::size_t untouched = 0;      ///< Wrong elements that were never stored.
  std::size_t lacking = 0;        ///< Elements that are stored without all products that belong to them.
  std::size_t adds_before = 0;    ///< Elements whose sum starts from the old content instead of 0.
  std::size_t with_constant = 0;  ///< Elements to which a constant is added that is in no input.
  std::int64_t p_row_length = 0;  ///< Elements are stored as if rows had this length; 0: not so.
  bool p_turned = false;          ///< P[row][column] holds what belongs to P[column][row].
  bool all_zero = false;          ///< No sum contains any product; does not say where the products were lost.
  bool wrong_is_zero = false;     ///< Each wrong sum that is stored is 0: a larger call may show whose it is.
  // --- Which elements are read in place of M[row][i] and N[i][column].
  /// The row length with which the matrix is indexed; 0: none fits.
  std::int64_t m_row_length = 0, n_row_length = 0;
  bool m_turned = false, n_turned = false;              ///< Row and column are swapped in the index.
  bool m_row_is_wrong = false, n_row_is_wrong = false;  ///< Indexed with a wrong row length, not swapped.
  std::int64_t m_offset = 0, n_offset = 0;              ///< Constant error of the index, in elements.
  bool m_takes_column = false,
       /// M is indexed by P's column instead of its row, or N by P's row instead of its column.
      n_takes_row = false;
  /// Some sums use a different row of M, or column of N, as a whole.
  bool another_row_of_m = false, another_column_of_n = false;
  // --- How often the product of each i is in a sum, if that is the same in every sum; empty if sums differ.
  std::vector<std::int64_t> times;
  /// The number of products in each sum is the length of the wrong dimension.
  bool products_of_another_side = false;
  /// In every product, M[row][i] is multiplied by N[i + pair_offset][column].
  std::int64_t pair_offset = 0;
  std::vector<Message> sentences;  ///< The most important first.
};

ProductFacts FactsOfProduct(const ProductContract& contract, const ProbeResult& probed);

/// Lists the first wrong elements beside the right formulas, before them the one that the first fact names,
/// and the facts; with `every`, lists all elements
/// as well.
Explanation ExplainProduct(const ProductContract& contract, const ProbeResult& probed,
                           const ProductFacts& facts, bool every = false);

/// Limit on the total number of terms in an explanation, so that a page can hold them.
inline constexpr std::size_t kMaximumTerms = 20'000;

/// The first fact, with the second one where the first does not say what to do; empty without facts.
Message AdviceFrom(const std::vector<Message>& facts);

/// An effect that was seen in a call, and what comes next: a cause with its remedy (cause_and_remedy) comes
/// before the effect, anything else behind it.
Message AdviceOfCall(const Message& call, const Message& effect, const Message& next);

/// True if every sum consists of its first products only, and these fill whole tiles.
bool EndsWithAWholeTile(const ProductFacts& facts, int tile);

}  // namespace warplings
