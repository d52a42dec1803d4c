// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the same with the filter in global memory.
#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define BLOCK 16

__global__ void convolution_kernel(const float* input, const float* filter, float* output, int rows,
                                   int columns) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int column = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0.0f;
  for (int i = -kRadius; i <= kRadius; ++i) {
    for (int j = -kRadius; j <= kRadius; ++j) {
      const int r = row + i, c = column + j;
      if (r >= 0 && r < rows && c >= 0 && c < columns) sum += filter[i * WIDTH + j] * input[r * columns + c];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  const dim3 grid((columns + BLOCK - 1) / BLOCK, (rows + BLOCK - 1) / BLOCK);
  convolution_kernel<<<grid, dim3(BLOCK, BLOCK)>>>(input, filter, output, rows, columns);
}
