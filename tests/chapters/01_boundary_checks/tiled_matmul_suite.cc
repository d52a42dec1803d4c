// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 1's tiled_matmul. Each test is one call of the submission's function on fresh inputs; its
// name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>

#include "grader/suite/device_work.h"
#include "tests/chapters/01_boundary_checks/tiled_matmul_fixture.h"
#include "tests/chapters/common/explain_matmul.h"
#include "tests/chapters/common/matmul_counts.h"
#include "tests/chapters/common/timed_matmul.h"

namespace warplings::tiled_matmul {
namespace {

class TiledMatmul : public WidthTest {};

TEST_F(TiledMatmul, OneThreadOf256HasWork) {
  Check("width 1: one element, and a block of 256 threads", 1);
}

TEST_F(TiledMatmul, TileIsWiderThanTheMatrix) {
  Check("width 2: a tile is eight times as wide as the matrix", 2);
}

/// The picture of the book: behind the last column of a row lies the first of the next.
TEST_F(TiledMatmul, EndOfARowIsNotTheNextColumn) {
  CheckSmallIntegers("3 x 3 with small integers: what lies behind the end of a row", 3);
}

TEST_F(TiledMatmul, WidthJustBelowATile) {
  Check("width 15, one less than a tile", 15);
}

TEST_F(TiledMatmul, WidthOfExactlyOneTile) {
  Check("width 16, exactly one tile", 16);
}

TEST_F(TiledMatmul, LastPhaseIsAlmostEmpty) {
  Check("width 17: the second phase holds a single column", 17);
}

TEST_F(TiledMatmul, LastPhaseIsAlmostFull) {
  Check("width 31: the second phase lacks a single column", 31);
}

TEST_F(TiledMatmul, EveryPhaseNeedsItsChecks) {
  Check("width 33: the last blocks reach over the edge in each of three phases", 33);
}

TEST_F(TiledMatmul, WholeTilesInSeveralPhases) {
  Check("width 64: no edge at all, four phases one after another", 64);
}

TEST_F(TiledMatmul, ManyTilesAndAPart) {
  Check("width 100: six whole tiles and a quarter", 100);
}

/// What the other widths show must hold for all.
TEST_F(TiledMatmul, AnyWidth) {
  CheckAnyWidth();
}

TEST_F(TiledMatmul, LargeAndSmallValues) {
  Check("width 40, values from 0.0002 to 4000", 40, WideValues);
}

TEST_F(TiledMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(TiledMatmul, TilesAreReadFromSharedMemory) {
  CheckTiles(": each element is fetched once for a tile, not once for a product");
}

const bool graded =
    GradedBy(GradedWork("P", false),
             {"The kernels load each element of M and N at least once, and do at least one "
              "floating-point operation for each product.",
              "No thread stores more than " + std::to_string(kMostElementsOfAThread) +
                  " elements of P, and no warp executes more than 4000 + " +
                  std::to_string(8 * kMostElementsOfAThread) + " x width instructions.",
              "They read tiles from shared memory, and load at most 2 x width x width x "
              "width bytes in all from global memory, each side rounded up to a multiple of "
              "16. (Without tiles they load 8 bytes for each product.)",
              SharedLoadSentence(), SharedStoreSentence(TilesOf::kOneMatrix),
              SectorSentences("M", "width", "width")[0], SectorSentences("M", "width", "width")[1]});

const bool explains = ExplainWith(ExplainWidths);

const bool recognises = RecogniseWith([] {
  std::vector<Recognised> found = Recognise(OfNumbers(AllEvidence()), LatestProductFacts());
  AddInfinityOfAnotherRow(AllEvidence(), found);
  return found;
});

const bool timed = TimeWith([](bool rehearsal) {
  return TimedSquareMatmuls(rehearsal, [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                                          int width) { return worker.Call(m, n, p, width); });
});

}  // namespace
}  // namespace warplings::tiled_matmul
