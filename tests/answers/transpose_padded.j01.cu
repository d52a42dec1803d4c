// SPDX-License-Identifier: Apache-2.0
// mistake: threads that have no element of X to load return before the barrier. After it each thread has another role:
//   at an edge tile some of those that returned should have stored an element of Y. Elements of Y are never written
//   wherever a tile at the edge is not square (X of 32 x 40, for instance); multiples of 32 on both sides are right.
// want: X has 32 rows and 40 columns. Which threads of the second block return? Which element of Y is the thread with
//   tx 20 and ty 3 to store, and does it get there?
#include "transpose_padded.h"

#define TILE 32

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int r = blockIdx.y * TILE + ty;
  const int c = blockIdx.x * TILE + tx;
  // nothing to do out there
  if (r >= rows || c >= columns) return;

  tile[ty][tx] = X[r * columns + c];
  __syncthreads();

  const int out_r = blockIdx.x * TILE + ty;
  const int out_c = blockIdx.y * TILE + tx;
  if (out_r < columns && out_c < rows) {
    Y[out_r * rows + out_c] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
