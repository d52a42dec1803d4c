// SPDX-License-Identifier: Apache-2.0
// mistake: two. 1. Rotates a row by 4 places for each row, because a float has 4 bytes, though places are counted in
//   floats: rows 8 apart are rotated alike, and reading a column is a 4-way conflict. 2. Checks the edge with the
//   linear index (below rows * columns) instead of row and column each: where `rows` is no multiple of 32, threads
//   beyond the end of a row of Y store what they find into the beginning of the next row, and race with its right
//   values.
// want: In which banks do the elements of column 0 lie, rows 0, 1, 2, ... 8? And: Y has rows of 40 elements: y_row 0
//   and y_column 45: is there such an element, and which element of Y does your index name?
#include "transpose_swizzled.h"

#define TILE 32

// A bank is 4 bytes wide: every row starts one float further.
__device__ int place(int row, int column) {
  const int shift = row * int(sizeof(float));
  return row * TILE + (column + shift) % TILE;
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int elements = rows * columns;

  const int from = (blockIdx.y * TILE + ty) * columns + blockIdx.x * TILE + tx;
  if (from < elements) {
    tile[place(ty, tx)] = X[from];
  }
  __syncthreads();

  const int to = (blockIdx.x * TILE + ty) * rows + blockIdx.y * TILE + tx;
  if (to < elements) {
    Y[to] = tile[place(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
