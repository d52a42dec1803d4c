// SPDX-License-Identifier: Apache-2.0
// mistake: takes the padded place, 33 * row + column, and brings it back into the array with a modulo of 1024. Row 31
//   begins at 1023, so that its elements from column 1 on wrap around to places 0 to 30, which are row 0's columns 0 to
//   30: two elements share a place, and who stores last wins. Shows in every tile with all 32 rows and more than one
//   column; less than 32 rows are right.
// want: Where does your place put element [31][5], and where [0][4]? The comment above place names a rule that two
//   elements must never break: in which row of the tile is it broken?
#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  const int padded = row * (TILE + 1) + column;  // one bank further with every row
  return padded % (TILE * TILE);                 // but the tile ends at 1024
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
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
