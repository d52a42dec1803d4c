// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 2's rect_tiled_matmul: values, and that the tiles are there.

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

class RectTiledMatmul : public RectTest {};

WARPLINGS_RECT_TESTS(RectTiledMatmul);

TEST_F(RectTiledMatmul, TilesAreReadFromSharedMemory) {
  CheckTiles(say::rect_fetched_once_in_rows());
}

const bool graded = GradedBy(TiledGrading(MatrixOrder::kRowByRow));

const bool explains = ExplainWith([] { return ExplainRectangles(MatrixOrder::kRowByRow); });

const bool states_facts = StateFactsWith([] {
  return FactsOf(OfNumbers(AllEvidence()), RightModel(true, MatrixOrder::kRowByRow), LatestProductFacts());
});

const bool timed =
    TimeWith([](bool rehearsal) { return TimedRectangles(rehearsal, MatrixOrder::kRowByRow); });

}  // namespace
}  // namespace warplings::rect_matmul
