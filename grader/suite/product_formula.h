// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/probe.h"

namespace warplings {

/// What is asked of a function that multiplies matrices, P = M x N, and what its parameters are called.
struct ProductContract {
  int rows = 0, inner = 0, columns = 0;  ///< M: rows x inner, N: inner x columns.
  bool m_by_columns = false;             ///< M lies column by column and is called Mt.
  std::string rows_name = "j", inner_name = "k", columns_name = "l";  ///< All "width" of a square product.
  int tile = 0;  ///< How many columns of P a block is wide; 0: nobody knows.
};

/// What was wrong at one place of a sum, as data: facts are sentences made of these.
struct ProductFacts {
  // How P is stored.
  std::size_t unknown = 0;      ///< Elements whose formula was not found.
  std::size_t wrong = 0;        ///< Elements with another formula than the right one, unknown ones left out.
  std::size_t untouched = 0;    ///< Of those: never stored.
  std::size_t adds_before = 0;  ///< The sum begins with what was there before.
  std::size_t with_constant = 0;  ///< Something is added that no input has.
  std::int64_t p_row_length = 0;  ///< Elements lie where they would with rows of this length; 0: they do not.
  bool p_turned = false;          ///< P[row][column] holds what belongs to P[column][row].
  bool all_zero = false;          ///< No product gets into any sum; says nothing of where they were lost.
  // Which element is meant with M[row][i] and N[i][column].
  std::int64_t m_row_length = 0, n_row_length = 0;      ///< Of memory as it lies; 0: nothing fits.
  bool m_turned = false, n_turned = false;              ///< Row and column change places in the index.
  bool m_row_is_wrong = false, n_row_is_wrong = false;  ///< Read with rows of another length, not turned.
  std::int64_t m_offset = 0, n_offset = 0;              ///< Elements too far.
  bool m_takes_column = false, n_takes_row = false;     ///< P's column in place of its row, and the reverse.
  // Which products are in a sum: times of each i, the same in every sum; empty where sums differ.
  std::vector<std::int64_t> times;
  bool products_of_another_side = false;  ///< Each sum has as many products as another side is long.
  /// M[row][i] meets N[i + pair_offset][column], in every product.
  std::int64_t pair_offset = 0;
  std::vector<std::string> sentences;  ///< The weightiest first.
};

ProductFacts FactsOfProduct(const ProductContract& contract, const ProbeResult& probed);

/// The first wrong elements beside the right ones, and the facts; with `every`, all elements besides.
Explanation ExplainProduct(const ProductContract& contract, const ProbeResult& probed,
                           const ProductFacts& facts, bool every = false);

/// How many terms all formulas of an explanation may have together, so that a page can hold them.
inline constexpr std::size_t kMaximumTerms = 20'000;

/// The facts as an advice, in two sentences at most; empty without a fact.
std::string AdviceFrom(const std::vector<std::string>& sentences);

/// True where each sum has the first products and lacks the rest, and the first ones fill whole tiles.
bool EndsWithAWholeTile(const ProductFacts& facts, int tile);

/// Where the wrong elements of a rows x columns array lie and what they hold, from one test's values: for
/// calls too large to probe. "P is right up to column 95; from column 96 on every element is 0." Empty where
/// no element is wrong, or all are and in no common way.
std::string PlacesFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                       const std::vector<bool>& is_wrong);

/// Advice where errors are as large as rounding to fewer digits makes them: "each error is about 4.9e-4 of
/// the value: ...". Empty where they are not.
std::string PrecisionFact(const std::vector<double>& actual, const std::vector<double>& expected,
                          const std::vector<double>& magnitudes);

}  // namespace warplings
