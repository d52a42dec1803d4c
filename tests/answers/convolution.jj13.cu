// SPDX-License-Identifier: Apache-2.0
// mistake: Two loads per thread sufficed for the old tile (400 elements, 256 threads). TILE is 32 now, the block
//   has still 256 threads, and the padded tile 1296 elements: elements 512 to 1295 are never loaded. Output
//   rows 10 to 31 of each tile are wrong at random; a matrix of up to 10 rows comes out right.
// want: How many elements has the tile with its halo now, and how many do your two loads write in all? How could
//   the number of loads follow from TILE?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 32
#define THREADS 256
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float F[FW * FW];

__device__ float load(const float* input, int k, int rows, int columns) {
  const int r = (int)blockIdx.y * TILE + k / TILE_IN - kRadius;
  const int c = (int)blockIdx.x * TILE + k % TILE_IN - kRadius;
  if (r < 0 || r >= rows || c < 0 || c >= columns) return 0.0f;
  return input[r * columns + c];
}

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN * TILE_IN];
  const int t = threadIdx.x;

  // more elements than threads: every thread loads one, and then a second one
  tile[t] = load(input, t, rows, columns);
  if (t + THREADS < TILE_IN * TILE_IN) {
    tile[t + THREADS] = load(input, t + THREADS, rows, columns);
  }
  __syncthreads();

  for (int e = t; e < TILE * TILE; e += THREADS) {
    const int y = e / TILE;
    const int x = e % TILE;
    const int r = blockIdx.y * TILE + y;
    const int c = blockIdx.x * TILE + x;
    if (r < rows && c < columns) {
      float sum = 0.0f;
      for (int i = 0; i < FW; i++) {
        for (int j = 0; j < FW; j++) sum += F[i * FW + j] * tile[(y + i) * TILE_IN + x + j];
      }
      output[r * columns + c] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, THREADS>>>(input, output, rows, columns);
}
