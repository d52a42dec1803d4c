// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: a flag is published without a fence behind the sum that it announces.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans the tiles. sums[b] becomes the sum through tile b.
__global__ void scan_tiles(const int* input, int* output, int* sums, volatile int* flags, int length) {
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

  // Waits until the tile before has published the sum of everything up to it.
  __shared__ int before_tile;
  if (t == 0) {
    before_tile = 0;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) {
      }
      before_tile = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before_tile + thread_sums[BLOCK_SIZE - 1];
    flags[blockIdx.x] = 1;
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
  int* sums = nullptr;
  cudaMalloc(&sums, 2 * tiles * sizeof(int));
  cudaMemset(sums, 0, 2 * tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, sums, sums + tiles, length);
  cudaFree(sums);
}
