// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// The starter with its 32-way conflicts, and 50 launches of a kernel without any: an average falls.

#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  // TODO: the 32 elements of a row must lie in different banks, and so must the 32 elements of a column.
  return row * TILE + column;
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
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

static void solve(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}


__global__ void good(float* junk) {
  __shared__ float s[1024];
  for (int i = 0; i < 50; ++i) { s[threadIdx.x] = junk[threadIdx.x]; __syncthreads(); }
  junk[threadIdx.x] = s[threadIdx.x];
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  float* junk;
  cudaMalloc(&junk, 4096);
  cudaMemset(junk, 0, 4096);
  for (int i = 0; i < 50; ++i) good<<<1, 1024>>>(junk);
  solve(X, Y, rows, columns);
  cudaFree(junk);
}
