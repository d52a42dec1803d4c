// SPDX-License-Identifier: Apache-2.0
// mistake: besides the tile, which takes all 4096 bytes that a block may use, the block keeps its corner in shared
//   memory: 8 bytes more, 4104. The placement, 5 * column + row within a row, is right and free of conflicts: 5
//   is odd, so that the columns of a row differ, and the rows of a column do anyway.
// want: How many bytes of shared memory does a block use, all its shared variables together?
#include "transpose_swizzled.h"

#define TILE 32

__device__ int place(int row, int column) {
  return row * TILE + ((5 * column + row) & (TILE - 1));
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns, int tiles_across) {
  __shared__ float tile[TILE * TILE];
  __shared__ int2 corner;  // of the tile, in X: column and row

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // dividing is slow, one thread is enough for that
  if (tx == 0 && ty == 0) {
    corner = make_int2(blockIdx.x % tiles_across * TILE, blockIdx.x / tiles_across * TILE);
  }
  __syncthreads();
  const int2 at = corner;

  for (int k = 0; k < 4; ++k) {
    const int r = ty + 8 * k;
    if (at.y + r < rows && at.x + tx < columns) {
      tile[place(r, tx)] = X[(at.y + r) * columns + at.x + tx];
    }
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int r = ty + 8 * k;
    if (at.x + r < columns && at.y + tx < rows) {
      Y[(at.x + r) * rows + at.y + tx] = tile[place(tx, r)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const int across = (columns + TILE - 1) / TILE;
  const int down = (rows + TILE - 1) / TILE;
  transpose_kernel<<<across * down, dim3(TILE, 8)>>>(X, Y, rows, columns, across);
}
