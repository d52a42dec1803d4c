// SPDX-License-Identifier: Apache-2.0
// mistake: Every thread loads all 25 coefficients from global memory into registers. A thread computes 8 elements:
//   that is about 3 floats per element for the filter, on top of 1.3 for the tile, where 2 in all are allowed for a
//   large input. Values are right.
// want: How many floats does one thread load, and for how many elements of output? Where could all threads find the
//   filter without loading it from global memory?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define BLOCK_ROWS 4
#define PER_THREAD (TILE / BLOCK_ROWS)
#define SIDE (TILE + 2 * kRadius)

__global__ void convolution_kernel(const float* input, const float* filter, float* output, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE];

  // the filter: 25 registers, faster than any memory
  float f[WIDTH][WIDTH];
#pragma unroll
  for (int i = 0; i < WIDTH; ++i) {
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) {
      f[i][j] = filter[i * WIDTH + j];
    }
  }

  const int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  for (int e = threadIdx.y * TILE + threadIdx.x; e < SIDE * SIDE; e += TILE * BLOCK_ROWS) {
    const int y = e / SIDE, x = e % SIDE;
    const int r = first_row + y - kRadius, c = first_column + x - kRadius;
    tile[y][x] = r < 0 || r >= rows || c < 0 || c >= columns ? 0 : input[r * columns + c];
  }
  __syncthreads();

  const int column = first_column + threadIdx.x;
  for (int k = 0; k < PER_THREAD; ++k) {
    const int y = k * BLOCK_ROWS + threadIdx.y;
    if (first_row + y < rows && column < columns) {
      float sum = 0;
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) {
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
          sum += f[i][j] * tile[y + i][threadIdx.x + j];
        }
      }
      output[(first_row + y) * columns + column] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, BLOCK_ROWS)>>>(input, filter, output, rows, columns);
}
