// SPDX-License-Identifier: Apache-2.0
// mistake: cudaMemcpyToSymbol gets the number of coefficients, 25, where it takes the number of bytes. Only 6
//   coefficients and one byte of the seventh arrive; the other ones stay 0. Shows for every filter with a coefficient
//   other than 0 from (1, 1) on.
// want: In what does cudaMemcpyToSymbol count? How many of your coefficients are that? Which coefficients would a
//   filter need to have for your tests to notice?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)  // of the filter
#define TILE 16                  // rows and columns of output that a block computes
#define PITCH (TILE + 2 * kRadius)

__constant__ float constant_filter[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[PITCH * PITCH];
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;

  // 256 threads, 400 elements: everyone loads one, and the first 144 load a second one.
  int k = threadIdx.y * TILE + threadIdx.x;
  while (k < PITCH * PITCH) {
    const int r = (int)(blockIdx.y * TILE) + k / PITCH - kRadius;
    const int c = (int)(blockIdx.x * TILE) + k % PITCH - kRadius;
    if (r >= 0 && r < rows && c >= 0 && c < columns)
      tile[k] = input[r * columns + c];
    else
      tile[k] = 0;
    k += TILE * TILE;
  }
  __syncthreads();

  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += constant_filter[i * WIDTH + j] * tile[(threadIdx.y + i) * PITCH + threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(constant_filter, filter, WIDTH * WIDTH, 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
