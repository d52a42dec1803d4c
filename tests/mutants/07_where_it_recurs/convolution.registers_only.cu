// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a thread goes down a column and keeps five rows in registers, but its neighbours load the
// same.
#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define THREADS 128
#define ROWS 16

__constant__ float coefficients[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  const int column = blockIdx.x * THREADS + threadIdx.x;
  const int first = blockIdx.y * ROWS;
  if (column >= columns) return;
  float sum[ROWS] = {};
#pragma unroll
  for (int r = 0; r < ROWS + 2 * kRadius; ++r) {
    const int row = first + r - kRadius;
    for (int j = 0; j < WIDTH; ++j) {
      const int c = column + j - kRadius;
      const bool exists = row >= 0 && row < rows && c >= 0 && c < columns;
      const float element = exists ? input[row * columns + c] : 0.0f;
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) {
        if (r - i >= 0 && r - i < ROWS) sum[r - i] += coefficients[i][j] * element;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (first + r < rows) output[(first + r) * columns + column] = sum[r];
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + THREADS - 1) / THREADS, (rows + ROWS - 1) / ROWS);
  convolution_kernel<<<grid, THREADS>>>(input, output, rows, columns);
}
