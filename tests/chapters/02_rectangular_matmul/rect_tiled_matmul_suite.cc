// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 2's rect_tiled_matmul: values, and that the tiles are there.

#include "tests/chapters/02_rectangular_matmul/rect_evidence.h"
#include "tests/chapters/02_rectangular_matmul/rect_fixture.h"

namespace warplings::rect_matmul {
namespace {

class RectTiledMatmul : public RectTest {};

WARPLINGS_RECT_TESTS(RectTiledMatmul);

TEST_F(RectTiledMatmul, TilesAreReadFromSharedMemory) {
  CheckTiles("each element is fetched once for a tile, not once for a product", {64, 96, 32});
}

const bool recognises =
    RecogniseWith([] { return Recognise(AllEvidence(), RightModel(true, MatrixOrder::kRowByRow)); });

}  // namespace
}  // namespace warplings::rect_matmul
