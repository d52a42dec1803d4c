// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 1's repair_tiled_matmul: the same function as tiled_matmul, but its starter gives right
// values most of the time. Which tests fail says what kind of fault is left: an edge, or phases one after
// another.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/01_boundary_checks/tiled_matmul_fixture.h"
#include "tests/suites/common/explain_matmul.h"
#include "tests/suites/common/matmul_counts.h"

namespace warplings::tiled_matmul {
namespace {

class RepairTiledMatmul : public WidthTest {};

TEST_F(RepairTiledMatmul, WidthOfExactlyOneTile) {
  Check(say::repair_one_phase_no_edge, 16);
}

TEST_F(RepairTiledMatmul, WholeTilesInSeveralPhases) {
  Check(say::repair_no_edge, 64);
}

TEST_F(RepairTiledMatmul, OneThreadOf256HasWork) {
  Check(say::repair_one_phase, 1);
}

TEST_F(RepairTiledMatmul, EndOfARowIsNotTheNextColumn) {
  CheckSmallIntegers(say::repair_by_hand(), 3);
}

TEST_F(RepairTiledMatmul, WidthJustBelowATile) {
  Check(say::tiled_just_below_a_tile, 15);
}

TEST_F(RepairTiledMatmul, LastPhaseIsAlmostEmpty) {
  Check(say::repair_edges_and_phases, 17);
}

TEST_F(RepairTiledMatmul, EveryPhaseNeedsItsChecks) {
  Check(say::tiled_every_phase, 33);
}

TEST_F(RepairTiledMatmul, ManyTilesAndAPart) {
  Check(say::tiled_tiles_and_a_part, 100);
}

TEST_F(RepairTiledMatmul, AnyWidth) {
  CheckAnyWidth();
}

TEST_F(RepairTiledMatmul, LargeAndSmallValues) {
  Check(say::tiled_wide_values, 40, WideValues);
}

TEST_F(RepairTiledMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(RepairTiledMatmul, TilesAreStillReadFromSharedMemory) {
  CheckTiles(say::repair_not_replaced);
}

const bool graded = GradedBy(TiledGrading());

const bool explains = ExplainWith(ExplainWidths);

const bool states_facts = StateFactsWith([] {
  std::vector<Fact> found = FactsOf(OfNumbers(AllEvidence()), LatestProductFacts());
  AddInfinityOfAnotherRow(AllEvidence(), found);
  return found;
});

}  // namespace
}  // namespace warplings::tiled_matmul
