// SPDX-License-Identifier: Apache-2.0
// mistake: The grid has the number of tiles in rows as x and that in columns as y, but the kernel takes the column
//   from blockIdx.x. For square matrices it is right; where the numbers of tiles differ, a part of output is not
//   computed, for example columns from 16 on in a matrix of 1 x 100.
// want: Which dimension of the grid counts columns in the kernel, and which in the launch? Test 1 row and 100
//   columns.

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 16
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float F[FW * FW];

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN][TILE_IN];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  for (int k = t; k < TILE_IN * TILE_IN; k += TILE * TILE) {
    int y = k / TILE_IN;
    int x = k - y * TILE_IN;
    int r = (int)(blockIdx.y * TILE) + y - kRadius;
    int c = (int)(blockIdx.x * TILE) + x - kRadius;
    tile[y][x] = 0.0f;
    if (r >= 0 && r < rows && c >= 0 && c < columns) {
      tile[y][x] = input[r * columns + c];
    }
  }
  __syncthreads();

  int r = blockIdx.y * TILE + threadIdx.y;
  int c = blockIdx.x * TILE + threadIdx.x;
  if (r < rows && c < columns) {
    float sum = 0.0f;
    for (int i = 0; i < FW; i++) {
      for (int j = 0; j < FW; j++) {
        sum += F[i * FW + j] * tile[threadIdx.y + i][threadIdx.x + j];
      }
    }
    output[r * columns + c] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, FW * FW * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  int row_tiles = (rows + TILE - 1) / TILE;
  int column_tiles = (columns + TILE - 1) / TILE;
  dim3 grid(row_tiles, column_tiles);
  dim3 block(TILE, TILE);
  conv_kernel<<<grid, block>>>(input, output, rows, columns);
}
