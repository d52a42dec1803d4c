// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: each thread adds up the sums of all tiles before its own.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans the tiles.
__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
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

  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) {
      output[first + k] = tile[k];
    }
  }
  if (t == 0) {
    totals[blockIdx.x] = thread_sums[BLOCK_SIZE - 1];
  }
}

__global__ void add_earlier_tiles(int* output, const int* totals, int length) {
  int before = 0;
  for (int tile = 0; tile < blockIdx.x; ++tile) {
    before += totals[tile];
  }
  const int first = blockIdx.x * TILE;
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) {
      output[first + k] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, totals, length);
  add_earlier_tiles<<<tiles, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
