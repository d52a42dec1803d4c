// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 2's rect_matmul: values only. Whether it uses tiles is the next exercise's question.

#include "tests/chapters/02_rectangular_matmul/rect_evidence.h"
#include "tests/chapters/02_rectangular_matmul/rect_fixture.h"

namespace warplings::rect_matmul {
namespace {

class RectMatmul : public RectTest {};

WARPLINGS_RECT_TESTS(RectMatmul);

const bool recognises =
    RecogniseWith([] { return Recognise(AllEvidence(), RightModel(false, MatrixOrder::kRowByRow)); });

}  // namespace
}  // namespace warplings::rect_matmul
