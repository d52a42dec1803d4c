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
  CheckTiles(say::rect_fetched_once());
}

const bool graded =
    GradedBy({.shared = KernelGrading(),
              .header = {"P is right for all j, k and l.", InfinitySentence(),
                         "The kernel computes P from tiles of both matrices in shared memory: it loads at "
                         "most 2 x j x k x l bytes from global memory, with j, k and l rounded up to "
                         "multiples of 16. (Without tiles it would load 8 x j x k x l.)",
                         "Neighbouring threads load neighbouring elements (coalesced loads). Memory is "
                         "fetched in sectors of 32 bytes: if j, k and l are multiples of 32, at most 1.45 "
                         "bytes are fetched per byte that a thread loads."},
              .page = Together({{"If k is 0, cudaMemset may store the zeros of P."},
                                WorkSentences("M", "j x k x l", "k", kMostElementsOfAThread),
                                {"The kernels load at most 2 x j x k x l bytes from global memory, with j, k "
                                 "and l rounded up to multiples of 16.",
                                 SharedLoadSentence(), SharedStoreSentence(TilesOf::kBoth, "M")},
                                SectorSentences("M", "k", "l")})});

const bool explains = ExplainWith([] { return ExplainRectangles(MatrixOrder::kRowByRow); });

const bool states_facts = StateFactsWith([] {
  return FactsOf(OfNumbers(AllEvidence()), RightModel(true, MatrixOrder::kRowByRow), LatestProductFacts());
});

const bool timed =
    TimeWith([](bool rehearsal) { return TimedRectangles(rehearsal, MatrixOrder::kRowByRow); });

}  // namespace
}  // namespace warplings::rect_matmul
