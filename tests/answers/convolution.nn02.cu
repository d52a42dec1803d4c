// SPDX-License-Identifier: Apache-2.0
// mistake: A tile of 64 x 64 with a thread for each element of it.
// want: The block has 64 x 64 = 4,096 threads, and at most 1,024 are possible.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 64
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
      sum += F[i * WIDTH + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
