// SPDX-License-Identifier: Apache-2.0
// mistake: the tile takes all of the 4096 bytes, and the block's origin, an int2 in shared memory, takes 8 more: 4104, for
//   every size. Values, banks and sectors are right; the rotation by the row is as good as an exclusive or, and the
//   additional reads of the origin (32 and one store a block) stay below one request for 8 elements.
// want: Add up all that your kernel declares as __shared__. How much of the 4096 bytes does the tile leave for anything
//   else?
#include "transpose_swizzled.h"

#define TILE 32

// Each row is rotated by its own number.
__device__ int place(int row, int column) {
  return row * TILE + (column + row) % TILE;
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];
  __shared__ int2 origin;  // of the tile in X: x is the column, y the row

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // One thread works it out for all.
  if (tx == 0 && ty == 0) {
    origin = make_int2(blockIdx.x * TILE, blockIdx.y * TILE);
  }
  __syncthreads();
  const int2 corner = origin;

  const int x_row = corner.y + ty;
  const int x_column = corner.x + tx;
  if (x_row < rows && x_column < columns) {
    tile[place(ty, tx)] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = corner.x + ty;
  const int y_column = corner.y + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
