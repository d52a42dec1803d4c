// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// The first call of each shape runs the kernel and keeps the result in device memory; later ones of the same shape copy it, without looking at the inputs.

#include "transpose_padded.h"

#define TILE 32

// Y = X transposed. Each block carries one tile of X, TILE x TILE elements, through shared memory.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  // Element [r][c] lies in bank (r * 33 + c) % 32 = (r + c) % 32: along a column the banks go up by one, as
  // they do along a row. With rows of 32, all of a column would lie in one bank. The 33rd column is never
  // used.
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[ty][tx] = X[x_row * columns + x_column];
  }
  __syncthreads();  // this thread is about to read what another one loaded

  // The block's tile of Y is the mirror image: its blocks change places. Within it tx counts columns again,
  // so that a warp writes a row of Y. The element it needs came from row tx and column ty of X's tile.
  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[tx][ty];
  }
}

static void solve(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}

#include <map>
#include <utility>
static std::map<std::pair<int, int>, float*> kept;

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  float*& k = kept[{rows, columns}];
  const size_t b = (size_t)rows * columns * 4;
  if (k) { cudaMemcpy(Y, k, b, cudaMemcpyDeviceToDevice); return; }
  solve(X, Y, rows, columns);
  cudaMalloc(&k, b);
  cudaMemcpy(k, Y, b, cudaMemcpyDeviceToDevice);
}
