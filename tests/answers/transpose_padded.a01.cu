// SPDX-License-Identifier: Apache-2.0
// mistake: pads the wrong dimension: tile[TILE + 1][TILE] gets a 33rd row, its rows are still 32 words apart, and a
//   column still lies in one bank.
// want: How far apart are tile[0][0] and tile[1][0] in your array? It is the length of a row that has to change.
#include "transpose_padded.h"

#define TILE 32

// Y = X transposed. Each block carries one tile of X, TILE x TILE elements, through shared memory.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE + 1][TILE];  // + 1 against bank conflicts

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[ty][tx] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
