// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the filter is in constant memory, but each thread loads its window from global memory.
#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define BLOCK 16

__constant__ float coefficients[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int column = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0.0f;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      const int r = row + i - kRadius, c = column + j - kRadius;
      if (r >= 0 && r < rows && c >= 0 && c < columns) sum += coefficients[i][j] * input[r * columns + c];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + BLOCK - 1) / BLOCK, (rows + BLOCK - 1) / BLOCK);
  convolution_kernel<<<grid, dim3(BLOCK, BLOCK)>>>(input, output, rows, columns);
}
