// SPDX-License-Identifier: Apache-2.0
// mistake: the swizzle is right, but blocks are renumbered along diagonals in a way that only fits a square grid: the tile's
//   row is blockIdx.x. With 32 x 64 elements the grid is 2 x 1, block (1, 0) goes to row 1, which does not exist, and
//   tile (1, 0) is never transposed. Each shape whose numbers of tiles differ loses tiles.
// want: 32 rows, 64 columns, a grid of 2 x 1: which tiles do your two blocks take? Does every tile get one when the grid
//   is not square? Leave the renumbering out; the banks have nothing to do with it.
#include "transpose_swizzled.h"

#define TILE 32

__device__ int place(int row, int column) {
  return row * TILE + (column ^ row);
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // Diagonal order, so that blocks that run together do not all write to the same part of memory
  // (from NVIDIA's old transpose paper).
  const int by = blockIdx.x;
  const int bx = (blockIdx.x + blockIdx.y) % gridDim.x;

  const int x_row = by * TILE + ty;
  const int x_column = bx * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[place(ty, tx)] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = bx * TILE + ty;
  const int y_column = by * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
