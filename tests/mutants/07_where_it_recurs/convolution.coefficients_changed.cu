// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: the filter is taken for the product of a column and a row.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define THREADS_Y 8
#define TALL (TILE + 2 * kRadius)

__constant__ float coefficients[WIDTH * WIDTH];

// Two passes: 5 + 5 multiplications per element instead of 25.
__global__ void convolution_separable(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TALL][TALL];
  __shared__ float horizontal[TALL][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * TILE - kRadius, c0 = blockIdx.x * TILE - kRadius;

  for (int y = ty; y < TALL; y += THREADS_Y) {
    for (int x = tx; x < TALL; x += TILE) {
      const int r = r0 + y, c = c0 + x;
      tile[y][x] = (r >= 0 && r < rows && c >= 0 && c < columns) ? input[r * columns + c] : 0;
    }
  }
  __syncthreads();

  // first pass: along the rows, with the filter's middle row
  for (int y = ty; y < TALL; y += THREADS_Y) {
    float sum = 0;
    for (int j = 0; j < WIDTH; ++j) {
      sum += coefficients[kRadius * WIDTH + j] * tile[y][tx + j];
    }
    horizontal[y][tx] = sum;
  }
  __syncthreads();

  // second pass: along the columns, with the filter's middle column, scaled so that the centre counts once
  const float centre = coefficients[kRadius * WIDTH + kRadius];
  const int column = blockIdx.x * TILE + tx;
  for (int y = ty; y < TILE; y += THREADS_Y) {
    const int row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int i = 0; i < WIDTH; ++i) {
      sum += coefficients[i * WIDTH + kRadius] / centre * horizontal[y + i][tx];
    }
    if (row < rows && column < columns) output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_separable<<<grid, dim3(TILE, THREADS_Y)>>>(input, output, rows, columns);
}
