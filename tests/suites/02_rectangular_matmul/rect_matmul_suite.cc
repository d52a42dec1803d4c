// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 2's rect_matmul: values only. Whether it uses tiles is the next exercise's question.

#include <string>
#include <string_view>
#include <vector>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/02_rectangular_matmul/rect_evidence.h"
#include "tests/suites/02_rectangular_matmul/rect_fixture.h"

namespace warplings::rect_matmul {
namespace {

class RectMatmul : public RectTest {
 protected:
  RectMatmul() : RectTest(MatrixOrder::kRowByRow, Tiles::kFree) {}
};

WARPLINGS_RECT_TESTS(RectMatmul);

/// A grid with a row of blocks for each row of P is refused.
TEST_F(RectMatmul, MoreRowsThanAGridIsHigh) {
  Check(say::rect_more_rows_than_a_grid(), {65'537, 1, 1});
}

const bool graded =
    GradedBy(GradedWork("P", false), {"Where k is 0, cudaMemset may store the zeros of P.",
                                      "The kernels load each element of M and N at least once, and do at "
                                      "least one floating-point operation for each product.",
                                      "No thread stores more than " + std::to_string(kMostElementsOfAThread) +
                                          " elements of P, and no warp executes more than 4000 + " +
                                          std::to_string(8 * kMostElementsOfAThread) + " x k instructions."});

const bool explains = ExplainWith([] { return ExplainRectangles(MatrixOrder::kRowByRow); });

const bool states_facts = StateFactsWith([] {
  return FactsOf(OfNumbers(AllEvidence()), RightModel(false, MatrixOrder::kRowByRow), LatestProductFacts());
});

}  // namespace
}  // namespace warplings::rect_matmul
