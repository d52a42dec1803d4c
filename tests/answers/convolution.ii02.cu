// SPDX-License-Identifier: Apache-2.0
// mistake: cudaMemcpyToSymbol is called with three arguments, so the direction is the default,
//   cudaMemcpyHostToDevice. But filter is in device memory: source and direction do not match, the call may fail
//   with cudaErrorInvalidValue (nobody looks), and the coefficients in constant memory stay 0. Shows for every
//   input with a filter that is not all 0.
// want: Where does filter point to, and what does cudaMemcpyToSymbol assume about its source if you say nothing?
//   Print what the call returns.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float c_filter[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN * TILE_IN];
  const int row0 = blockIdx.y * TILE - kRadius;
  const int col0 = blockIdx.x * TILE - kRadius;

  for (int k = threadIdx.y * TILE + threadIdx.x; k < TILE_IN * TILE_IN; k += TILE * TILE) {
    const int r = row0 + k / TILE_IN;
    const int c = col0 + k % TILE_IN;
    tile[k] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += c_filter[i * WIDTH + j] * tile[(threadIdx.y + i) * TILE_IN + threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // sizeof gives the bytes, see the CUDA manual
  cudaMemcpyToSymbol(c_filter, filter, sizeof(c_filter));
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
