// SPDX-License-Identifier: Apache-2.0
// mistake: A block computes four tiles one after the other in the same shared memory, but there is no barrier between
//   computing a tile and loading the next. A fast warp overwrites elements that slower warps still need: a race. Shows,
//   now and then, for more than 16 rows.
// want: You have a barrier after loading: whom does it make wait for whom? Warp 0 is done with its rows of the first
//   tile and goes into the next step: what does it write to, and who may still be reading there?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define STEPS 4  // tiles per block, one below the other
#define SIDE (TILE + 2 * kRadius)

__constant__ float c_filter[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE];
  const int thread = threadIdx.y * TILE + threadIdx.x;
  const int left = (int)(blockIdx.x * TILE);

  for (int step = 0; step < STEPS; ++step) {
    const int top = (int)(blockIdx.y * STEPS + step) * TILE;
    if (top >= rows) break;  // the same for all threads of the block

    for (int e = thread; e < SIDE * SIDE; e += TILE * TILE) {
      const int r = top + e / SIDE - kRadius;
      const int c = left + e % SIDE - kRadius;
      const bool exists = r >= 0 && r < rows && c >= 0 && c < columns;
      tile[e / SIDE][e % SIDE] = exists ? input[r * columns + c] : 0.0f;
    }
    __syncthreads();  // the tile is complete

    const int row = top + threadIdx.y;
    const int column = left + threadIdx.x;
    if (row < rows && column < columns) {
      float sum = 0.0f;
      for (int i = 0; i < WIDTH; ++i) {
        for (int j = 0; j < WIDTH; ++j) {
          sum += c_filter[i * WIDTH + j] * tile[threadIdx.y + i][threadIdx.x + j];
        }
      }
      output[row * columns + column] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(c_filter, filter, sizeof(c_filter), 0, cudaMemcpyDeviceToDevice);
  const int rows_per_block = TILE * STEPS;
  const dim3 grid((columns + TILE - 1) / TILE, (rows + rows_per_block - 1) / rows_per_block);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
