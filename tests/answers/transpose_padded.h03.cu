// SPDX-License-Identifier: Apache-2.0
// mistake: four neighbours are loaded as a float4 wherever all four exist; where columns is no multiple of 4 the rows
//   from the second on do not begin at multiples of 16 bytes, and the load is a misaligned address error.
// want: Let columns be 33: at which byte does row 1 of X begin? What does a float4 load ask of its address, and what
//   does your condition check?

#include "transpose_padded.h"

#define TILE 32

// 8 x 32 threads; each loads four neighbours of a row and stores four elements of Y.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + 4 * tx;
  if (x_row < rows) {
    const float* from = X + x_row * columns + x_column;
    if (x_column + 3 < columns) {
      const float4 v = *reinterpret_cast<const float4*>(from);
      tile[ty][4 * tx + 0] = v.x;
      tile[ty][4 * tx + 1] = v.y;
      tile[ty][4 * tx + 2] = v.z;
      tile[ty][4 * tx + 3] = v.w;
    } else {
      for (int k = 0; k < 4; ++k) {
        if (x_column + k < columns) tile[ty][4 * tx + k] = from[k];
      }
    }
  }
  __syncthreads();

  // a warp stores 32 neighbours of a row of Y
  const int t = ty * blockDim.x + tx;
  const int lane = t % 32;
  const int y_column = blockIdx.y * TILE + lane;
  for (int j = t / 32; j < TILE; j += 8) {
    const int y_row = blockIdx.x * TILE + j;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[lane][j];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE / 4, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
