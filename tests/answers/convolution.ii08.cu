// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: the input goes through shared memory, but every thread still loads the 25 coefficients
//   from global memory, 100 bytes per element (the limit is 8, filter included). const __restrict__ lets the
//   loads use another path, but they stay loads from global memory. Shows for large inputs.
// want: How many bytes does one thread load in the last loop, and from which memory? const and __restrict__
//   promise something to the compiler: do they move the filter to another memory?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define SHARED (TILE + 2 * kRadius)

// const __restrict__ -> the compiler puts the filter into the constant cache
__global__ void convolution_kernel(const float* __restrict__ input, const float* __restrict__ filter,
                                   float* __restrict__ output, int rows, int columns) {
  __shared__ float tile[SHARED][SHARED];
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;

  for (int y = threadIdx.y; y < SHARED; y += TILE) {
    for (int x = threadIdx.x; x < SHARED; x += TILE) {
      const int r = row - (int)threadIdx.y + y - kRadius;
      const int c = column - (int)threadIdx.x + x - kRadius;
      if (r >= 0 && r < rows && c >= 0 && c < columns) {
        tile[y][x] = input[r * columns + c];
      } else {
        tile[y][x] = 0;
      }
    }
  }
  __syncthreads();

  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += filter[i * WIDTH + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, filter, output, rows, columns);
}
