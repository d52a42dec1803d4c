// SPDX-License-Identifier: Apache-2.0
// differs: no constant memory: each block of 16 x 16 threads loads the filter into shared memory, beside its
// tile; a thread for each element of output.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define LOADED (TILE + 2 * kRadius)

__global__ void convolution_kernel(const float* input, const float* filter, float* output, int rows,
                                   int columns) {
  __shared__ float tile[LOADED * LOADED];
  __shared__ float weights[WIDTH * WIDTH];
  const int t = threadIdx.y * TILE + threadIdx.x;

  if (t < WIDTH * WIDTH) weights[t] = filter[t];
  for (int i = t; i < LOADED * LOADED; i += TILE * TILE) {
    const int row = blockIdx.y * TILE + i / LOADED - kRadius;
    const int column = blockIdx.x * TILE + i % LOADED - kRadius;
    tile[i] = 0.0f;
    if (row >= 0 && row < rows && column >= 0 && column < columns) tile[i] = input[row * columns + column];
  }
  __syncthreads();

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = 0.0f;
  for (int k = 0; k < WIDTH * WIDTH; ++k) {
    sum += weights[k] * tile[(threadIdx.y + k / WIDTH) * LOADED + threadIdx.x + k % WIDTH];
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, filter, output, rows, columns);
}
