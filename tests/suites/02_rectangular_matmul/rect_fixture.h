// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/suite/grading.h"
#include "tests/suites/02_rectangular_matmul/messages.h"
#include "tests/suites/common/explain_matmul.h"
#include "tests/suites/common/matmul_call.h"

namespace warplings::rect_matmul {

/// What all tests of the running suite saw, for FactsOf.
std::vector<MatmulEvidence>& AllEvidence();

/// What the submission computed instead, for ExplainWith.
std::vector<Explained> ExplainRectangles(MatrixOrder m_order);

/// For the suites whose function is (M, N, P, j, k, l). Each test is one call.
class RectTest : public testing::Test {
 protected:
  enum class Tiles { kFree, kAsked };
  explicit RectTest(MatrixOrder m_order = MatrixOrder::kRowByRow, Tiles tiles = Tiles::kAsked)
      : m_order_(m_order), tiles_(tiles) {}

  /// The title shown is "5 x 40 times 40 x 20: WHAT".
  void Check(const Message& what, const MatmulShape& shape, FillFunction fill = SignedValues);
  /// Distinct small integers, so that a student can follow a wrong element by hand.
  void CheckSmallIntegers(const Message& what, const MatmulShape& shape);
  /// Three different sides: `inner` from 2 to 60, the others from 130 to 175, so that P has 81 tiles of 16 x
  /// 16 or more, and a block of a grid that is bounded by a number has to compute several.
  void CheckAnyShape();
  /// With an infinity in M, at sides that no tile but the smallest divides.
  void CheckInfinity();
  /// At multiples of 32 that nobody knows beforehand; where M lies by rows, asks for coalesced loads, too, in
  /// this and all other calls.
  void CheckTiles(const Message& what);
  /// The same, for a test of its own.
  void CheckCoalescing(const Message& what);

 private:
  MatmulEvidence Call(const Message& what, const MatmulShape& shape, const MatmulInputs& inputs) const;
  void Record(MatmulEvidence evidence) const;

  const MatrixOrder m_order_;
  const Tiles tiles_;
};

/// The tests of values that all suites of this chapter have, for the fixture `Suite`. Six of them are the
/// orders of three lengths: whichever side is taken for whichever other, at one of them it shows.
#define WARPLINGS_RECT_TESTS(Suite)                           \
  TEST_F(Suite, OneElement) {                                 \
    Check(say::rect_one_product(), {1, 1, 1});                \
  }                                                           \
  TEST_F(Suite, ToFollowByHand) {                             \
    CheckSmallIntegers(say::rect_by_hand(), {2, 3, 4});       \
  }                                                           \
  TEST_F(Suite, SquareOfTwoTiles) {                           \
    Check(say::rect_square(), {32, 32, 32});                  \
  }                                                           \
  TEST_F(Suite, SumsAreShortestAndPIsWide) {                  \
    Check(say::rect_k_shortest_l_longest(), {20, 5, 40});     \
  }                                                           \
  TEST_F(Suite, SumsAreShortestAndPIsTall) {                  \
    Check(say::rect_k_shortest_j_longest(), {40, 5, 20});     \
  }                                                           \
  TEST_F(Suite, SumsAreBetweenAndPIsWide) {                   \
    Check(say::rect_j_shortest_l_longest(), {5, 20, 40});     \
  }                                                           \
  TEST_F(Suite, SumsAreBetweenAndPIsTall) {                   \
    Check(say::rect_l_shortest_j_longest(), {40, 20, 5});     \
  }                                                           \
  TEST_F(Suite, SumsAreLongestAndPIsWide) {                   \
    Check(say::rect_j_shortest_k_longest(), {5, 40, 20});     \
  }                                                           \
  TEST_F(Suite, SumsAreLongestAndPIsTall) {                   \
    Check(say::rect_l_shortest_k_longest(), {20, 40, 5});     \
  }                                                           \
  TEST_F(Suite, AroundATile) {                                \
    Check(say::rect_less_tile_more(), {15, 16, 17});          \
  }                                                           \
  TEST_F(Suite, AroundATileTurned) {                          \
    Check(say::rect_more_less_tile(), {17, 15, 16});          \
  }                                                           \
  TEST_F(Suite, PIsTallAndNarrow) {                           \
    Check(say::rect_tall_and_narrow(), {450, 150, 20});       \
  }                                                           \
  TEST_F(Suite, PIsFlatAndWide) {                             \
    Check(say::rect_flat_and_wide(), {20, 150, 450});         \
  }                                                           \
  TEST_F(Suite, OneInnerProduct) {                            \
    Check(say::rect_inner_product(), {1, 97, 1});             \
  }                                                           \
  TEST_F(Suite, OneOuterProduct) {                            \
    Check(say::rect_outer_product(), {37, 1, 41});            \
  }                                                           \
  TEST_F(Suite, NoRows) {                                     \
    Check(say::rect_no_rows(), {0, 7, 9});                    \
  }                                                           \
  TEST_F(Suite, NoColumns) {                                  \
    Check(say::rect_no_columns(), {9, 7, 0});                 \
  }                                                           \
  TEST_F(Suite, TheSumOfNoProductsIsZero) {                   \
    Check(say::rect_no_products(), {7, 0, 9});                \
  }                                                           \
  TEST_F(Suite, AnyShape) {                                   \
    CheckAnyShape();                                          \
  }                                                           \
  TEST_F(Suite, AnInfinityStaysInItsRow) {                    \
    CheckInfinity();                                          \
  }                                                           \
  TEST_F(Suite, LargeAndSmallValues) {                        \
    Check(say::rect_wide_values(), {33, 21, 50}, WideValues); \
  }                                                           \
  static_assert(true, "a semicolon follows")

/// What a product with tiles is graded by; column by column, M is given as Mt.
Grading TiledGrading(MatrixOrder order);

}  // namespace warplings::rect_matmul
