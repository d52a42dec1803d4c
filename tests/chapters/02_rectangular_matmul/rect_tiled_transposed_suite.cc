// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 2's rect_tiled_transposed: values, tiles, and that a warp uses the sectors that it fetches.

#include "tests/chapters/02_rectangular_matmul/rect_evidence.h"
#include "tests/chapters/02_rectangular_matmul/rect_fixture.h"

namespace warplings::rect_matmul {
namespace {

class RectTiledTransposed : public RectTest {
 protected:
  RectTiledTransposed() : RectTest(MatrixOrder::kColumnByColumn) {}
};

WARPLINGS_RECT_TESTS(RectTiledTransposed);

TEST_F(RectTiledTransposed, TilesAreReadFromSharedMemory) {
  CheckTiles("each element is fetched once for a tile, not once for a product", {64, 96, 32});
}

TEST_F(RectTiledTransposed, NeighbouringThreadsLoadNeighbouringElements) {
  CheckCoalescing("a warp uses all of each sector that it fetches", {32, 64, 96});
}

const bool recognises =
    RecogniseWith([] { return Recognise(AllEvidence(), RightModel(true, MatrixOrder::kColumnByColumn)); });

}  // namespace
}  // namespace warplings::rect_matmul
