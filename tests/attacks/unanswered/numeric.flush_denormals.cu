// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// -0 becomes 0, NaN a canonical NaN, denormals 0: a copy keeps bits.

#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  // The exclusive or with a fixed row only changes the order of the 32 columns: no two of them meet, and none
  // leaves the row. Seen along a column, row ^ column takes each value from 0 to 31 once as well: 32
  // different banks. (column + row) % TILE would do, too: there each row is turned one bank further than the
  // row above.
  return row * TILE + (column ^ row);
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
  __syncthreads();  // this thread is about to read what another one loaded

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    // Who writes through place() must read through it, too.
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

static void solve(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}

__global__ void finish(float* p, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[i] = p[i] + 0.0f == 0.0f || fabsf(p[i]) < 1.2e-38f ? 0.0f : p[i]; }

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {

  solve(X, Y, rows, columns);
  if (rows * columns > 0) finish<<<(rows * columns + 255) / 256, 256>>>(Y, rows * columns);
}
