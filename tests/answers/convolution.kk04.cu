// SPDX-License-Identifier: Apache-2.0
// mistake: The tile has 400 elements, and 400 / 128 rounds of loading are 3: elements 384 to 399, columns 4 to 19 of
//   the tile's last row, are never loaded and hold what was there before. The last row of output of each tile (rows
//   15, 31 and so on) is wrong where the filter's last row counts.
// want: How many elements do your rounds load in all, and how many does the tile have? Which rows of output need the
//   last row of the tile?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define BLOCK_Y 8                           // each thread computes two rows
#define SIDE (TILE + 2 * kRadius)           // 20
#define THREADS (TILE * BLOCK_Y)            // 128
#define ROUNDS ((SIDE * SIDE) / THREADS)    // loads per thread

__constant__ float c_filter[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE];
  const int id = threadIdx.y * TILE + threadIdx.x;

#pragma unroll
  for (int round = 0; round < ROUNDS; ++round) {
    const int e = round * THREADS + id;
    const int r = blockIdx.y * TILE + e / SIDE - kRadius;
    const int c = blockIdx.x * TILE + e % SIDE - kRadius;
    float value = 0.0f;
    if (r >= 0 && r < rows && c >= 0 && c < columns) value = input[r * columns + c];
    tile[e / SIDE][e % SIDE] = value;
  }
  __syncthreads();

  float sum0 = 0.0f, sum1 = 0.0f;
#pragma unroll
  for (int i = 0; i < WIDTH; ++i) {
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) {
      sum0 += c_filter[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
      sum1 += c_filter[i][j] * tile[threadIdx.y + BLOCK_Y + i][threadIdx.x + j];
    }
  }

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (column < columns) {
    if (row < rows) output[row * columns + column] = sum0;
    if (row + BLOCK_Y < rows) output[(row + BLOCK_Y) * columns + column] = sum1;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(c_filter, filter, sizeof(c_filter), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, BLOCK_Y)>>>(input, output, rows, columns);
}
