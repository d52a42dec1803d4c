// SPDX-License-Identifier: Apache-2.0
// mistake: A block computes four tiles, one below the other, in the same shared array, with one barrier per tile,
//   after loading. There is none after computing: a fast warp loads the next tile over elements that slow warps
//   still need. Values are wrong at random, for every size: also tiles below the matrix overwrite it, with 0.
// want: A warp is done with tile 0 and goes on to load tile 1. Which warps may still be reading tile 0? What must
//   hold before anybody writes to the tile again?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define PAD (TILE + 2 * kRadius)
#define TILES_PER_BLOCK 4

__constant__ float coeff[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[PAD][PAD];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * TILE + tx;

  // coarsening: the block walks down
  for (int t = 0; t < TILES_PER_BLOCK; ++t) {
    const int top = (blockIdx.y * TILES_PER_BLOCK + t) * TILE;
    const int left = blockIdx.x * TILE;
    for (int k = ty * TILE + tx; k < PAD * PAD; k += TILE * TILE) {
      const int r = top + k / PAD - kRadius;
      const int c = left + k % PAD - kRadius;
      tile[k / PAD][k % PAD] = (r < 0 || r >= rows || c < 0 || c >= columns) ? 0.0f : input[r * columns + c];
    }
    __syncthreads();

    const int row = top + ty;
    if (row < rows && column < columns) {
      float sum = 0;
      for (int i = 0; i < WIDTH; ++i) {
        for (int j = 0; j < WIDTH; ++j) {
          sum += coeff[i * WIDTH + j] * tile[ty + i][tx + j];
        }
      }
      output[row * columns + column] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coeff, filter, sizeof(coeff), 0, cudaMemcpyDeviceToDevice);
  const int rows_per_block = TILE * TILES_PER_BLOCK;
  const dim3 grid((columns + TILE - 1) / TILE, (rows + rows_per_block - 1) / rows_per_block);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
