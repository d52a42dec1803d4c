// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 1's tiled_matmul. Each test is one call of the submission's function on fresh inputs; its
// name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>

#include "grader/suite/device_work.h"
#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/01_boundary_checks/tiled_matmul_fixture.h"
#include "tests/suites/common/explain_matmul.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/timed_matmul.h"

namespace warplings::tiled_matmul {
namespace {

class TiledMatmul : public WidthTest {};

TEST_F(TiledMatmul, OneThreadOf256HasWork) {
  Check(say::tiled_one_element, 1);
}

TEST_F(TiledMatmul, TileIsWiderThanTheMatrix) {
  Check(say::tiled_tile_is_wider, 2);
}

/// The picture of the book: behind the last column of a row lies the first of the next.
TEST_F(TiledMatmul, EndOfARowIsNotTheNextColumn) {
  CheckSmallIntegers(say::tiled_end_of_a_row(), 3);
}

TEST_F(TiledMatmul, WidthJustBelowATile) {
  Check(say::tiled_just_below_a_tile, 15);
}

TEST_F(TiledMatmul, WidthOfExactlyOneTile) {
  Check(say::tiled_exactly_one_tile, 16);
}

TEST_F(TiledMatmul, LastPhaseIsAlmostEmpty) {
  Check(say::tiled_almost_empty_phase, 17);
}

TEST_F(TiledMatmul, LastPhaseIsAlmostFull) {
  Check(say::tiled_almost_full_phase, 31);
}

TEST_F(TiledMatmul, EveryPhaseNeedsItsChecks) {
  Check(say::tiled_every_phase, 33);
}

TEST_F(TiledMatmul, WholeTilesInSeveralPhases) {
  Check(say::tiled_no_edge, 64);
}

TEST_F(TiledMatmul, ManyTilesAndAPart) {
  Check(say::tiled_tiles_and_a_part, 100);
}

/// What the other widths show must hold for all.
TEST_F(TiledMatmul, AnyWidth) {
  CheckAnyWidth();
}

TEST_F(TiledMatmul, LargeAndSmallValues) {
  Check(say::tiled_wide_values, 40, WideValues);
}

TEST_F(TiledMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(TiledMatmul, TilesAreReadFromSharedMemory) {
  CheckTiles(say::tiled_fetched_once);
}

const bool graded = GradedBy(TiledGrading());

const bool explains = ExplainWith(ExplainWidths);

const bool states_facts = StateFactsWith([] {
  std::vector<Fact> found = FactsOf(OfNumbers(AllEvidence()), LatestProductFacts());
  AddInfinityOfAnotherRow(AllEvidence(), found);
  return found;
});

const bool timed = TimeWith([](bool rehearsal) {
  return TimedSquareMatmuls(rehearsal, [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                                          int width) { return worker.Call(m, n, p, width); });
});

}  // namespace
}  // namespace warplings::tiled_matmul
