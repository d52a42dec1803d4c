// SPDX-License-Identifier: Apache-2.0
// mistake: with tiles of 16 x 16 a warp has two rows of threads; padding by 1 separates the lanes of one row, but
//   the two rows still meet in a bank (17 x ty + tx), so that loads and stores of the tile conflict twofold.
// want: Which values of tx and ty does one warp have in your block? Write down the banks of all 32 lanes, not only
//   those of the first 16.

#include "transpose_padded.h"

#define TILE 16

template <int PITCH>
__device__ float& at(float* tile, int row, int column) {
  return tile[row * PITCH + column];
}

// Y = X transposed. Each block carries one tile of X through shared memory.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  constexpr int kPitch = TILE + 1;  // +1 against bank conflicts
  __shared__ float tile[TILE * kPitch];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    at<kPitch>(tile, ty, tx) = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = at<kPitch>(tile, tx, ty);
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
