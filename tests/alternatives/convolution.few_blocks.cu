// SPDX-License-Identifier: Apache-2.0
// differs: at most 64 blocks, each of which goes through many tiles of 32 x 32; the threads have one index;
// the halo is loaded apart from the tile; the filter is copied to registers.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define LOADED (TILE + 2 * kRadius)
#define THREADS 256
#define BLOCKS 64

__constant__ float coefficients[WIDTH][WIDTH];

__device__ float element(const float* input, int row, int column, int rows, int columns) {
  return row >= 0 && row < rows && column >= 0 && column < columns ? input[row * columns + column] : 0.0f;
}

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[LOADED][LOADED];
  float own[WIDTH][WIDTH];
#pragma unroll
  for (int k = 0; k < WIDTH * WIDTH; ++k) own[k / WIDTH][k % WIDTH] = coefficients[k / WIDTH][k % WIDTH];

  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const int across = (columns + TILE - 1) / TILE, tiles = across * ((rows + TILE - 1) / TILE);
  for (int which = blockIdx.x; which < tiles; which += gridDim.x) {
    const int row = which / across * TILE, column = which % across * TILE;
    __syncthreads();  // nobody reads the tile before this one any more

    for (int r = y; r < TILE; r += THREADS / TILE) {
      tile[r + kRadius][x + kRadius] = element(input, row + r, column + x, rows, columns);
    }
    // Above and below, with the corners: 2 x 2 rows; left and right: 2 x 2 columns.
    for (int i = threadIdx.x; i < 2 * kRadius * LOADED; i += THREADS) {
      const int r = i / LOADED < kRadius ? i / LOADED : i / LOADED + TILE, c = i % LOADED;
      tile[r][c] = element(input, row + r - kRadius, column + c - kRadius, rows, columns);
    }
    for (int i = threadIdx.x; i < 2 * kRadius * TILE; i += THREADS) {
      const int r = i / (2 * kRadius) + kRadius;
      const int c = i % (2 * kRadius) < kRadius ? i % (2 * kRadius) : i % (2 * kRadius) + TILE;
      tile[r][c] = element(input, row + r - kRadius, column + c - kRadius, rows, columns);
    }
    __syncthreads();

    for (int r = y; r < TILE; r += THREADS / TILE) {
      if (row + r >= rows || column + x >= columns) break;
      float sum = 0.0f;
#pragma unroll
      for (int k = 0; k < WIDTH * WIDTH; ++k)
        sum += own[k / WIDTH][k % WIDTH] * tile[r + k / WIDTH][x + k % WIDTH];
      output[(row + r) * columns + column + x] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  convolution_kernel<<<BLOCKS, THREADS>>>(input, output, rows, columns);
}
