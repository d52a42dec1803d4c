// SPDX-License-Identifier: Apache-2.0
//
// What tiles are measured against: a thread for each element loads 25 elements and 25 coefficients from
// global memory.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void plain_kernel(const float* input, const float* filter, float* output, int rows, int columns) {
  const int column = blockIdx.x * BLOCK_X + threadIdx.x;
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      const int r = row + i - kRadius, c = column + j - kRadius;
      if (r >= 0 && r < rows && c >= 0 && c < columns) sum += filter[i * WIDTH + j] * input[r * columns + c];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  const dim3 grid((columns + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
  plain_kernel<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(input, filter, output, rows, columns);
}
