// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: the grid has a row and a column of blocks too many.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 64
#define SIDE (TILE + 2 * kRadius)
#define BLOCK_COLUMNS 32
#define BLOCK_ROWS 8

__constant__ float coefficients[WIDTH * WIDTH];

// 256 threads compute 64 x 64 elements, 16 each.
__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE];
  const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
  if (row0 >= rows || column0 >= columns) return;  // the whole block is outside

  for (int y = threadIdx.y; y < SIDE; y += BLOCK_ROWS) {
    const int r = row0 + y - kRadius;
    for (int x = threadIdx.x; x < SIDE; x += BLOCK_COLUMNS) {
      const int c = column0 + x - kRadius;
      tile[y][x] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0;
    }
  }
  __syncthreads();

  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS) {
    for (int x = threadIdx.x; x < TILE; x += BLOCK_COLUMNS) {
      if (row0 + y < rows && column0 + x < columns) {
        float sum = 0;
        for (int i = 0; i < WIDTH; ++i) {
          for (int j = 0; j < WIDTH; ++j) {
            sum += coefficients[i * WIDTH + j] * tile[y + i][x + j];
          }
        }
        output[(row0 + y) * columns + column0 + x] = sum;
      }
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, WIDTH * WIDTH * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid(columns / TILE + 1, rows / TILE + 1);
  convolution_kernel<<<grid, dim3(BLOCK_COLUMNS, BLOCK_ROWS)>>>(input, output, rows, columns);
}
