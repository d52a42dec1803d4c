// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, transpose_padded: the solution. Global memory sees rows on both sides; the turn happens in
// shared memory, where reading a column costs nothing once its elements lie in different banks.

#include "transpose_padded.h"

#define TILE 32
#define THREADS_Y 8
#define ROWS (TILE / THREADS_Y)  // of the tile, for each thread

// Y = X transposed. Each block carries one tile of X, TILE x TILE elements, through shared memory. A thread
// carries ROWS elements: it loads them all before it waits for the first, which keeps memory busy.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  // Element [r][c] lies in bank (r * 33 + c) % 32 = (r + c) % 32: along a column the banks go up by one, as
  // they do along a row. With rows of 32, all of a column would lie in one bank. The 33rd column is never
  // used.
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  float moved[ROWS] = {};  // 0 where X has no element
  const int x_column = blockIdx.x * TILE + tx;
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    const int x_row = blockIdx.y * TILE + ty + i * THREADS_Y;
    if (x_row < rows && x_column < columns) {
      moved[i] = X[static_cast<size_t>(x_row) * columns + x_column];
    }
  }
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    tile[ty + i * THREADS_Y][tx] = moved[i];
  }
  __syncthreads();  // this thread is about to read what another one loaded

  // The block's tile of Y is the mirror image: its blocks change places. Within it tx counts columns again,
  // so that a warp writes a row of Y. The element it needs came from row tx and column ty of X's tile.
  const int y_column = blockIdx.y * TILE + tx;
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    const int y_row = blockIdx.x * TILE + ty + i * THREADS_Y;
    if (y_row < columns && y_column < rows) {
      Y[static_cast<size_t>(y_row) * rows + y_column] = tile[tx][ty + i * THREADS_Y];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, THREADS_Y);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
