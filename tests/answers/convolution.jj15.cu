// SPDX-License-Identifier: Apache-2.0
// mistake: A thread computes 4 elements in a loop, but sum is set to 0 only once, before the loop. The second
//   element gets the sum of the first two, and so on. Shows where rows is more than 8.
// want: What is the value of sum when the thread begins with its second element? Run it in your head with a filter
//   that has only its centre, 1.

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 32
#define STRIDE 8
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float F[FW][FW];

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN][TILE_IN];
  const int r0 = (int)blockIdx.y * TILE - kRadius;
  const int c0 = (int)blockIdx.x * TILE - kRadius;
  for (int y = threadIdx.y; y < TILE_IN; y += STRIDE) {
    for (int x = threadIdx.x; x < TILE_IN; x += TILE) {
      const bool inside = r0 + y >= 0 && r0 + y < rows && c0 + x >= 0 && c0 + x < columns;
      tile[y][x] = inside ? input[(r0 + y) * columns + c0 + x] : 0.0f;
    }
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int y = threadIdx.y; y < TILE; y += STRIDE) {
    const int row = blockIdx.y * TILE + y;
    if (row >= rows || column >= columns) break;
    for (int i = 0; i < FW; i++) {
      for (int j = 0; j < FW; j++) {
        sum += F[i][j] * tile[y + i][threadIdx.x + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, dim3(TILE, STRIDE)>>>(input, output, rows, columns);
}
