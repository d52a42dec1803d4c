// SPDX-License-Identifier: Apache-2.0
// mistake: The tile is read with row and column exchanged.
// want: tile[tx + j][ty + i]: row and column are exchanged where the tile is read.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define IN (TILE + 2 * kRadius)

__constant__ float F[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[IN][IN];
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  for (int k = threadIdx.y * TILE + threadIdx.x; k < IN * IN; k += TILE * TILE) {
    const int r = blockIdx.y * TILE + k / IN - kRadius;
    const int c = blockIdx.x * TILE + k % IN - kRadius;
    tile[k / IN][k % IN] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
  }
  __syncthreads();
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += F[i * WIDTH + j] * tile[threadIdx.x + j][threadIdx.y + i];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
