// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the tile is read with row and column exchanged.
#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16

__constant__ float F[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float s[TILE + 2 * kRadius][TILE + 2 * kRadius];
  for (int y = threadIdx.y; y < TILE + 2 * kRadius; y += TILE) {
    for (int x = threadIdx.x; x < TILE + 2 * kRadius; x += TILE) {
      int r = blockIdx.y * TILE + y - kRadius;
      int c = blockIdx.x * TILE + x - kRadius;
      s[y][x] = (r >= 0 && r < rows && c >= 0 && c < columns) ? input[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  int r = blockIdx.y * TILE + threadIdx.y;
  int c = blockIdx.x * TILE + threadIdx.x;
  if (r < rows && c < columns) {
    float sum = 0.0f;
    for (int i = 0; i < WIDTH; i++) {
      for (int j = 0; j < WIDTH; j++) {
        sum += F[i * WIDTH + j] * s[threadIdx.x + j][threadIdx.y + i];
      }
    }
    output[r * columns + c] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  dim3 block(TILE, TILE);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, block>>>(input, output, rows, columns);
}
