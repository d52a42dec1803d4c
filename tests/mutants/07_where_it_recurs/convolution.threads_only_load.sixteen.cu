// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: 16 x 16 threads load, and 12 x 12 of them compute.
#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define LOADED 16
#define TILE (LOADED - 2 * kRadius)

__constant__ float coefficients[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[LOADED][LOADED];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty - kRadius;
  const int column = blockIdx.x * TILE + tx - kRadius;

  const bool exists = row >= 0 && row < rows && column >= 0 && column < columns;
  tile[ty][tx] = exists ? input[row * columns + column] : 0.0f;
  __syncthreads();

  const bool computes = ty >= kRadius && ty < TILE + kRadius && tx >= kRadius && tx < TILE + kRadius;
  if (exists && computes) {
    float sum = 0.0f;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) sum += coefficients[i][j] * tile[ty + i - kRadius][tx + j - kRadius];
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(LOADED, LOADED)>>>(input, output, rows, columns);
}
