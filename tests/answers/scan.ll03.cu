// SPDX-License-Identifier: Apache-2.0
// mistake: The second kernel scans the sums of the tiles in one block of 1024 threads, one sum per thread. With more
//   than 1024 tiles, the sums from 1024 on stay unscanned, and tiles from 1025 on add only the sum of the one tile
//   before. Shows for lengths above 1025 x 2048 = 2,099,200.
// want: How many tiles has an input of 4,000,000 elements, and which thread scans the sum of tile 1500? How could one
//   block scan more than 1024 sums?

#include "scan.h"

#define BLOCK_SIZE 256
#define ITEMS 8
#define TILE_SIZE (BLOCK_SIZE * ITEMS)

// 1. Each block scans a tile of 2048 elements.
__global__ void scan_tiles(const int* input, int* output, int* sums, int length) {
  __shared__ int tile[TILE_SIZE];
  __shared__ int partial[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int base = blockIdx.x * TILE_SIZE;

  // coalesced load
  for (int k = t; k < TILE_SIZE; k += BLOCK_SIZE) {
    tile[k] = base + k < length ? input[base + k] : 0;
  }
  __syncthreads();

  // each thread adds up its own 8 neighbours
  int sum = 0;
  for (int k = 0; k < ITEMS; ++k) {
    sum += tile[t * ITEMS + k];
    tile[t * ITEMS + k] = sum;
  }
  partial[t] = sum;
  __syncthreads();

  for (int d = 1; d < BLOCK_SIZE; d *= 2) {
    const int before = t >= d ? partial[t - d] : 0;
    __syncthreads();
    partial[t] += before;
    __syncthreads();
  }

  if (t > 0) {
    for (int k = 0; k < ITEMS; ++k) {
      tile[t * ITEMS + k] += partial[t - 1];
    }
  }
  __syncthreads();

  for (int k = t; k < TILE_SIZE; k += BLOCK_SIZE) {
    if (base + k < length) output[base + k] = tile[k];
  }
  if (t == BLOCK_SIZE - 1) sums[blockIdx.x] = partial[t];
}

// 2. One block scans the sums.
__global__ void scan_sums(int* sums, int count) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = t < count ? sums[t] : 0;
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    const int before = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += before;
    __syncthreads();
  }
  if (t < count) sums[t] = s[t];
}

// 3. Each block adds the sum of all tiles before its own.
__global__ void add_sums(int* output, const int* sums, int length) {
  if (blockIdx.x == 0) return;
  const int offset = sums[blockIdx.x - 1];
  const int base = blockIdx.x * TILE_SIZE;
  for (int k = threadIdx.x; k < TILE_SIZE; k += BLOCK_SIZE) {
    if (base + k < length) output[base + k] += offset;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE_SIZE - 1) / TILE_SIZE;
  int* sums = nullptr;
  cudaMalloc(&sums, tiles * sizeof(int));

  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, sums, length);
  scan_sums<<<1, 1024>>>(sums, tiles);
  add_sums<<<tiles, BLOCK_SIZE>>>(output, sums, length);

  cudaFree(sums);
}
