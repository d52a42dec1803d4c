// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: a barrier after each element that a thread adds up alone.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans each tile alone. sums[b] becomes the sum of tile b.
__global__ void scan_tiles(const int* input, int* output, int* sums, int length) {
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
    __syncthreads();
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
    __syncthreads();
  }
  __syncthreads();

  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) {
      output[first + k] = tile[k];
    }
  }
  if (t == BLOCK_SIZE - 1) {
    sums[blockIdx.x] = thread_sums[t];
  }
}

// Adds to each tile but the first the sum of all tiles before it.
__global__ void add_tiles_before(int* output, const int* sums, int length) {
  const int before = sums[blockIdx.x];
  const int first = (blockIdx.x + 1) * TILE;
  for (int k = threadIdx.x; k < TILE && first + k < length; k += BLOCK_SIZE) {
    output[first + k] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* sums = nullptr;
  cudaMalloc(&sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, sums, length);
  if (tiles > 1) {
    scan(sums, sums, tiles);
    add_tiles_before<<<tiles - 1, BLOCK_SIZE>>>(output, sums, length);
  }
  cudaFree(sums);
}
