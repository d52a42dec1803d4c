// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 2's rect_tiled_transposed: values, tiles, and that a warp uses the sectors that it fetches.

#include <string>
#include <string_view>
#include <vector>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/02_rectangular_matmul/rect_evidence.h"
#include "tests/suites/02_rectangular_matmul/rect_fixture.h"
#include "tests/suites/02_rectangular_matmul/timed_rectangles.h"
#include "tests/suites/common/matmul_counts.h"

namespace warplings::rect_matmul {
namespace {

class RectTiledTransposed : public RectTest {
 protected:
  RectTiledTransposed() : RectTest(MatrixOrder::kColumnByColumn) {}
};

WARPLINGS_RECT_TESTS(RectTiledTransposed);

TEST_F(RectTiledTransposed, TilesAreReadFromSharedMemory) {
  CheckTiles(say::rect_fetched_once());
}

TEST_F(RectTiledTransposed, NeighbouringThreadsLoadNeighbouringElements) {
  CheckCoalescing(say::rect_whole_sectors());
}

const bool graded = GradedBy(TiledGrading(MatrixOrder::kColumnByColumn));

const bool explains = ExplainWith([] { return ExplainRectangles(MatrixOrder::kColumnByColumn); });

const bool states_facts = StateFactsWith([] {
  return FactsOf(OfNumbers(AllEvidence()), RightModel(true, MatrixOrder::kColumnByColumn),
                 LatestProductFacts());
});

const bool timed =
    TimeWith([](bool rehearsal) { return TimedRectangles(rehearsal, MatrixOrder::kColumnByColumn); });

}  // namespace
}  // namespace warplings::rect_matmul
