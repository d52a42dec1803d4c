// SPDX-License-Identifier: Apache-2.0
// mistake: the padded layout (pitch 33) is folded into 1024 places with a modulo: row 31 from column 1 on falls
//   onto places of row 0, so that two elements share a place.
// want: where do [31][1] and [0][0] lie? A swizzle may change the order of the columns within a row, but each
//   element needs a place of its own.
#include "transpose_swizzled.h"

#define TILE 32
#define PLACES (TILE * TILE)

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1: each row begins one bank further.
__device__ __forceinline__ int place(int row, int column) {
  return (row * (TILE + 1) + column) % PLACES;
}

// Y = X transposed. Each block carries one tile of X through shared memory; both sides see rows.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[PLACES];

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
