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

/// The chapter's recogniser knows more than this exercise leads to.
constexpr std::string_view kOfThisExercise[] = {
    "wrong_row_length",  "wrong_number_of_products",    "check_with_another_side",
    "store_not_checked", "row_and_column_interchanged", "grid_interchanged",
    "grid_rounded_down", "empty_sums_not_stored",       "empty_grid_launched",
    "one_side_for_all",  "grid_for_another_block",      "sum_in_p"};

const bool graded =
    GradedBy(GradedWork("P", false), {"Where k is 0, cudaMemset may store the zeros of P.",
                                      "The kernels load each element of M and N at least once, and do at "
                                      "least one floating-point operation for each product.",
                                      "No thread stores more than " + std::to_string(kMostElementsOfAThread) +
                                          " elements of P, and no warp executes more than 4000 + " +
                                          std::to_string(8 * kMostElementsOfAThread) + " x k instructions."});

const bool explains = ExplainWith([] { return ExplainRectangles(MatrixOrder::kRowByRow); });

const bool recognises = RecogniseWith([] {
  std::vector<Recognised> found =
      Recognise(OfNumbers(AllEvidence()), RightModel(false, MatrixOrder::kRowByRow), LatestProductFacts());
  KeepRecognised(found, kOfThisExercise);
  return found;
});

}  // namespace
}  // namespace warplings::rect_matmul
