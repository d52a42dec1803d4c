// SPDX-License-Identifier: Apache-2.0
// mistake: wants (column + row) % 32 and writes (column + row) & TILE, with 32 as the mask instead of 31: that is 0 or
//   32, so that all elements of a row fall on one or two places, many elements share one, and row 31 writes behind the
//   end of the tile.
// want: Compute place(0, 0), place(0, 1) and place(31, 1). What does & 32 leave of a number, and which mask leaves the
//   remainder by 32?
#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ __forceinline__ int place(int row, int column) {
  // each row is turned by one more; & is quicker than %
  return row * TILE + ((column + row) & TILE);
}

// Y = X transposed. Each block carries one tile of X through shared memory; both sides see rows.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[place(ty, tx)] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
