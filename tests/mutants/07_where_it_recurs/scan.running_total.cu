// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: the old value of a running total is taken for the sum before the tile.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans the tiles.
__global__ void scan_tiles(const int* input, int* output, int* total, int length) {
  __shared__ int tile[TILE];
  __shared__ int thread_sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int first = blockIdx.x * TILE;
  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    tile[k] = first + k < length ? input[first + k] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = t * COARSE_FACTOR; k < (t + 1) * COARSE_FACTOR; ++k) {
    sum += tile[k];
    tile[k] = sum;
  }
  thread_sums[t] = sum;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = t >= distance ? thread_sums[t - distance] : 0;
    __syncthreads();
    thread_sums[t] += before;
    __syncthreads();
  }

  const int before_me = t > 0 ? thread_sums[t - 1] : 0;
  for (int k = t * COARSE_FACTOR; k < (t + 1) * COARSE_FACTOR; ++k) {
    tile[k] += before_me;
  }
  __syncthreads();

  // The sum of the tiles before.
  __shared__ int before_tile;
  if (t == BLOCK_SIZE - 1) {
    before_tile = atomicAdd(total, thread_sums[t]);
  }
  __syncthreads();

  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) {
      output[first + k] = before_tile + tile[k];
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* total = nullptr;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, total, length);
  cudaFree(total);
}
