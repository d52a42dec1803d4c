// SPDX-License-Identifier: Apache-2.0
// mistake: There is a barrier after every access to shared memory, also in the loops in which a thread adds up its own
//   8 neighbours, in the loading loop and in the loop that adds `before`. A block of 8 warps waits at 41 barriers
//   for 2048 elements: 0.16 arrivals per element, where 1/8 are allowed. The values are right. Shows for every
//   long input.
// want: Count the barriers that a warp passes for one tile, loop by loop. In which of these loops does a thread touch
//   elements that another thread has written since the last barrier? What do the other barriers protect?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 8
#define TILE (BLOCK_SIZE * COARSE)

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int start = blockIdx.x * TILE;

  for (int k = 0; k < COARSE; ++k) {
    const int t = k * BLOCK_SIZE + threadIdx.x;
    tile[t] = start + t < length ? input[start + t] : 0;
    __syncthreads();
  }

  int sum = 0;
  for (int k = 0; k < COARSE; ++k) {
    sum += tile[threadIdx.x * COARSE + k];
    tile[threadIdx.x * COARSE + k] = sum;
    __syncthreads();  // always after writing to shared memory!
  }

  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  const int before = threadIdx.x > 0 ? sums[threadIdx.x - 1] : 0;
  for (int k = 0; k < COARSE; ++k) {
    tile[threadIdx.x * COARSE + k] += before;
    __syncthreads();
  }

  for (int k = 0; k < COARSE; ++k) {
    const int t = k * BLOCK_SIZE + threadIdx.x;
    if (start + t < length) output[start + t] = tile[t];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
}

// There are few totals: one thread is enough. totals[t] becomes the sum of all tiles before t.
__global__ void scan_totals(int* totals, int tiles) {
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    const int total = totals[t];
    totals[t] = sum;
    sum += total;
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int start = blockIdx.x * TILE;
  const int add = totals[blockIdx.x];
  for (int k = 0; k < COARSE; ++k) {
    const int i = start + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) output[i] += add;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, 1>>>(totals, tiles);
  add_totals<<<tiles, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
