// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: a block waits until the sum of the tile before differs from 0.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans the tiles. sums[b] becomes the sum through tile b.
__global__ void scan_tiles(const int* input, int* output, volatile int* sums, int length) {
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

  // Waits for the sum of everything up to the tile before.
  __shared__ int before_tile;
  if (t == 0) {
    before_tile = 0;
    if (blockIdx.x > 0) {
      while (before_tile == 0) {
        before_tile = sums[blockIdx.x - 1];
      }
    }
    sums[blockIdx.x] = before_tile + thread_sums[BLOCK_SIZE - 1];
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
  cudaMalloc(&sums, tiles * sizeof(int));
  cudaMemset(sums, 0, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, sums, length);
  cudaFree(sums);
}
