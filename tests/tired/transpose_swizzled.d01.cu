// SPDX-License-Identifier: Apache-2.0
// mistake: computes the place in front of the loop over a thread's four rows and only adds 8 rows of 32 in each step
//   of the first loop: row ty + 8 is written with the order of row ty, though the exclusive or depends on the row. The
//   second loop reads with the order of the row itself, so that it finds other elements for all rows but 0 to 7 of
//   each tile.
// want: Where does element [9][0] of the tile lie by place, and where do you store it? Which part of place changes
//   from row 1 to row 9 besides the start of the row?
#include "transpose_swizzled.h"

#define TILE 32
#define ROWS 8  // of threads

__device__ int place(int row, int column) {
  return row * TILE + (column ^ row);
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // once, not in each step
  const int here = place(ty, tx);
  const int x_column = blockIdx.x * TILE + tx;
  for (int j = 0; j < TILE; j += ROWS) {
    const int x_row = blockIdx.y * TILE + ty + j;
    if (x_row < rows && x_column < columns) {
      tile[here + j * TILE] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

  const int y_column = blockIdx.y * TILE + tx;
  for (int j = 0; j < TILE; j += ROWS) {
    const int y_row = blockIdx.x * TILE + ty + j;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[place(tx, ty + j)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
