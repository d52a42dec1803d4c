// SPDX-License-Identifier: Apache-2.0
// mistake: Elements of the tile that lie outside the matrix are skipped instead of set to 0. Shared memory is not
//   0 at the start of a block: it holds whatever the last block left there. Sums at the border are wrong at
//   random, for every size.
// want: What is in a __shared__ array before anybody writes to it? Which elements of the tile does nobody write
//   in the block at the upper left?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 16
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float F[FW][FW];

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN][TILE_IN];
  const int base_r = (int)blockIdx.y * TILE - kRadius;
  const int base_c = (int)blockIdx.x * TILE - kRadius;

  for (int y = threadIdx.y; y < TILE_IN; y += TILE) {
    const int r = base_r + y;
    if (r < 0 || r >= rows) continue;  // halo outside the matrix stays 0
    for (int x = threadIdx.x; x < TILE_IN; x += TILE) {
      const int c = base_c + x;
      if (c < 0 || c >= columns) continue;
      tile[y][x] = input[r * columns + c];
    }
  }
  __syncthreads();

  const int r = blockIdx.y * TILE + threadIdx.y;
  const int c = blockIdx.x * TILE + threadIdx.x;
  if (r >= rows || c >= columns) return;
  float sum = 0.0f;
  for (int i = 0; i < FW; i++) {
    for (int j = 0; j < FW; j++) {
      sum += F[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[r * columns + c] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
