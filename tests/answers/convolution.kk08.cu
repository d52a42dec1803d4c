// SPDX-License-Identifier: Apache-2.0
// mistake: The tile is loaded column by column: neighbouring threads take elements one below the other, so each load
//   of a warp touches 32 rows and fetches about 32 sectors. That is about 5 sectors per 4 elements of a large input,
//   where 3 are allowed. Values are right.
// want: Which elements of input do threads 0, 1 and 2 load in the first step, and how far apart are they in memory?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define PADDED (TILE + 2 * kRadius)

__constant__ float filter_const[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[PADDED][PADDED + 1];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;

  for (int n = tid; n < PADDED * PADDED; n += blockDim.x * blockDim.y) {
    const int y = n % PADDED;
    const int x = n / PADDED;
    const int r = (int)blockIdx.y * TILE + y - kRadius;
    const int c = (int)blockIdx.x * TILE + x - kRadius;
    if (r < 0 || c < 0 || r >= rows || c >= columns) {
      tile[y][x] = 0.0f;
    } else {
      tile[y][x] = input[r * columns + c];
    }
  }
  __syncthreads();

  const int c = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
    const int r = blockIdx.y * TILE + y;
    if (r >= rows || c >= columns) continue;
    float sum = 0.0f;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) {
        sum += filter_const[i * WIDTH + j] * tile[y + i][threadIdx.x + j];
      }
    }
    output[r * columns + c] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(filter_const, filter, sizeof(float) * WIDTH * WIDTH, 0, cudaMemcpyDeviceToDevice);
  const dim3 threads(TILE, 8);
  const dim3 blocks((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<blocks, threads>>>(input, output, rows, columns);
}
