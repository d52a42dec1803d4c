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
#include "tests/suites/common/matmul_counts.h"

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

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"P is right for all j, k and l.",
                "P[r][c] is the sum of exactly k products: M[r][i] x N[i][c] for each i below k. Add no "
                "further terms "
                "such as 0 x an element of M: M may hold infinities, and 0 x infinity is NaN."},
     .page = Together({{"If k is 0, cudaMemset may store the zeros of P."},
                       WorkSentences("M", "j x k x l", "k", kMostElementsOfAThread, SizeOfP::kMayBeZero)})});

const bool explains = ExplainWith([] { return ExplainRectangles(MatrixOrder::kRowByRow); });

const bool states_facts = StateFactsWith([] {
  return FactsOf(OfNumbers(AllEvidence()), RightModel(false, MatrixOrder::kRowByRow), LatestProductFacts());
});

}  // namespace
}  // namespace warplings::rect_matmul
