// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/chapters/common/explain_matmul.h"
#include "tests/chapters/common/matmul_call.h"

namespace warplings::rect_matmul {

/// What all tests of the running suite saw, for Recognise.
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
  void Check(const std::string& what, const MatmulShape& shape, FillFunction fill = SignedValues);
  /// Distinct small integers, so that a student can follow a wrong element by hand.
  void CheckSmallIntegers(const std::string& what, const MatmulShape& shape);
  /// Three different sides: `inner` from 2 to 60, the others from 130 to 175, so that P has 81 tiles of 16 x
  /// 16 or more, and a block of a grid that is bounded by a number has to compute several.
  void CheckAnyShape();
  /// With an infinity in M, at sides that no tile but the smallest divides.
  void CheckInfinity();
  /// At multiples of 32 that nobody knows beforehand; where M lies by rows, asks for coalesced loads, too, in
  /// this and all other calls.
  void CheckTiles(const std::string& what);
  /// The same, for a test of its own.
  void CheckCoalescing(const std::string& what);

 private:
  MatmulEvidence Call(const std::string& what, const MatmulShape& shape, const MatmulInputs& inputs) const;
  void Record(MatmulEvidence evidence) const;

  const MatrixOrder m_order_;
  const Tiles tiles_;
};

/// The tests of values that all suites of this chapter have, for the fixture `Suite`. Six of them are the
/// orders of three lengths: whichever side is taken for whichever other, at one of them it shows.
#define WARPLINGS_RECT_TESTS(Suite)                                     \
  TEST_F(Suite, OneElement) {                                           \
    Check("one product", {1, 1, 1});                                    \
  }                                                                     \
  TEST_F(Suite, ToFollowByHand) {                                       \
    CheckSmallIntegers("small integers, to follow by hand", {2, 3, 4}); \
  }                                                                     \
  TEST_F(Suite, SquareOfTwoTiles) {                                     \
    Check("a square is a rectangle", {32, 32, 32});                     \
  }                                                                     \
  TEST_F(Suite, SumsAreShortestAndPIsWide) {                            \
    Check("k is the shortest side, l the longest", {20, 5, 40});        \
  }                                                                     \
  TEST_F(Suite, SumsAreShortestAndPIsTall) {                            \
    Check("k is the shortest side, j the longest", {40, 5, 20});        \
  }                                                                     \
  TEST_F(Suite, SumsAreBetweenAndPIsWide) {                             \
    Check("j is the shortest side, l the longest", {5, 20, 40});        \
  }                                                                     \
  TEST_F(Suite, SumsAreBetweenAndPIsTall) {                             \
    Check("l is the shortest side, j the longest", {40, 20, 5});        \
  }                                                                     \
  TEST_F(Suite, SumsAreLongestAndPIsWide) {                             \
    Check("j is the shortest side, k the longest", {5, 40, 20});        \
  }                                                                     \
  TEST_F(Suite, SumsAreLongestAndPIsTall) {                             \
    Check("l is the shortest side, k the longest", {20, 40, 5});        \
  }                                                                     \
  TEST_F(Suite, AroundATile) {                                          \
    Check("one less than a tile, a tile, one more", {15, 16, 17});      \
  }                                                                     \
  TEST_F(Suite, AroundATileTurned) {                                    \
    Check("one more than a tile, one less, a tile", {17, 15, 16});      \
  }                                                                     \
  TEST_F(Suite, PIsTallAndNarrow) {                                     \
    Check("P is tall and narrow, M large", {450, 150, 20});             \
  }                                                                     \
  TEST_F(Suite, PIsFlatAndWide) {                                       \
    Check("P is flat and wide, N large", {20, 150, 450});               \
  }                                                                     \
  TEST_F(Suite, OneInnerProduct) {                                      \
    Check("a row times a column", {1, 97, 1});                          \
  }                                                                     \
  TEST_F(Suite, OneOuterProduct) {                                      \
    Check("a column times a row", {37, 1, 41});                         \
  }                                                                     \
  TEST_F(Suite, NoRows) {                                               \
    Check("P has no rows: there is nothing to do", {0, 7, 9});          \
  }                                                                     \
  TEST_F(Suite, NoColumns) {                                            \
    Check("P has no columns: there is nothing to do", {9, 7, 0});       \
  }                                                                     \
  TEST_F(Suite, TheSumOfNoProductsIsZero) {                             \
    Check("P exists, and the sum of no products is 0", {7, 0, 9});      \
  }                                                                     \
  TEST_F(Suite, AnyShape) {                                             \
    CheckAnyShape();                                                    \
  }                                                                     \
  TEST_F(Suite, AnInfinityStaysInItsRow) {                              \
    CheckInfinity();                                                    \
  }                                                                     \
  TEST_F(Suite, LargeAndSmallValues) {                                  \
    Check("values from 0.0002 to 4000", {33, 21, 50}, WideValues);      \
  }                                                                     \
  static_assert(true, "a semicolon follows")

}  // namespace warplings::rect_matmul
