// SPDX-License-Identifier: Apache-2.0
// mistake: One thread per element of the tile with its halo, and TILE raised from 16 to 32: 36 x 36 = 1296
//   threads in a block. The limit is 1024, so every launch fails, nobody looks at the error, and output keeps
//   its old contents. (With 1296 threads, also 21 % would store nothing.)
// want: How many threads does your block have? What does cudaGetLastError() return after the launch?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32  // 32 is a full warp, better than 16
#define BLOCK (TILE + 2 * kRadius)

__constant__ float c_filter[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[BLOCK][BLOCK];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int r = (int)blockIdx.y * TILE + ty - kRadius;
  const int c = (int)blockIdx.x * TILE + tx - kRadius;

  tile[ty][tx] = 0;
  if (r >= 0 && r < rows && c >= 0 && c < columns) tile[ty][tx] = input[r * columns + c];
  __syncthreads();

  // the first TILE x TILE threads compute
  if (ty < TILE && tx < TILE) {
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;
    if (row < rows && column < columns) {
      float sum = 0;
      for (int i = 0; i < WIDTH; ++i) {
        for (int j = 0; j < WIDTH; ++j) {
          sum += c_filter[i * WIDTH + j] * tile[ty + i][tx + j];
        }
      }
      output[row * columns + column] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(c_filter, filter, sizeof(c_filter), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(BLOCK, BLOCK)>>>(input, output, rows, columns);
  cudaDeviceSynchronize();
}
