// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, transpose_swizzled: the solution. Each row of the tile is stored in an order of its own, so that
// the elements of a column move from bank to bank.

#include "transpose_swizzled.h"

#define TILE 32
#define THREADS_Y 8
#define ROWS (TILE / THREADS_Y)  // of the tile, for each thread

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  // The exclusive or with a fixed row only changes the order of the 32 columns: no two of them meet, and none
  // leaves the row. Seen along a column, row ^ column takes each value from 0 to 31 once as well: 32
  // different banks. (column + row) % TILE would do, too: there each row is turned one bank further than the
  // row above.
  return row * TILE + (column ^ row);
}

// Y = X transposed. Each block carries one tile of X through shared memory; both sides see rows. A thread
// carries ROWS elements: it loads them all before it waits for the first, which keeps memory busy.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

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
    tile[place(ty + i * THREADS_Y, tx)] = moved[i];
  }
  __syncthreads();  // this thread is about to read what another one loaded

  const int y_column = blockIdx.y * TILE + tx;
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    const int y_row = blockIdx.x * TILE + ty + i * THREADS_Y;
    if (y_row < columns && y_column < rows) {
      // Who writes through place() must read through it, too.
      Y[static_cast<size_t>(y_row) * rows + y_column] = tile[place(tx, ty + i * THREADS_Y)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, THREADS_Y);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
